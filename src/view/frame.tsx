import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ChainPanel } from './chain-panel.tsx'
import { type FeedState, startFeed } from './feed.ts'
import { applyContext } from './host-style.ts'
import { prepareTimes, TimeZone, type TimeZoneValue } from './time.tsx'
import { watchSize } from './watch-size.ts'

const MAX_LINE_CHARS = 200

/** The view inside a host: one line for a call in the middle of a chain, the chain for the call that closed it. */
export function Frame({ parent }: { parent: Window }) {
  const [state, setState] = useState<FeedState>({})
  const [zone, setZone] = useState<TimeZoneValue>({})
  const [chosen, setChosen] = useState<boolean>()
  const element = useRef<HTMLDivElement>(null)
  const feed = useMemo(
    () =>
      startFeed(parent, setState, (context) => {
        applyContext(context)
        const { locale, timeZone } = context
        setZone((zone) => ({ ...zone, ...(locale && { locale }), ...(timeZone && { timeZone }) }))
      }),
    [parent],
  )
  const { call, pending, refusal, tree, problem } = state
  const isOpened = chosen ?? (call !== undefined && !call.nextThoughtNeeded)
  useEffect(() => feed.watch(isOpened), [feed, isOpened])
  useEffect(() => prepareTimes(zone), [zone])
  useEffect(() => (element.current ? watchSize(element.current, feed.host.sendSize) : undefined), [feed])

  return (
    <TimeZone.Provider value={zone}>
      <div class="frame" ref={element}>
        {refusal !== undefined ? (
          <details class="refusal">
            <summary>
              <span class="chevron" aria-hidden="true" />
              This call was refused
            </summary>
            <p dir="auto">{refusal}</p>
          </details>
        ) : call === undefined || tree === undefined ? (
          <p class="line-text" role="status">
            {problem ??
              (pending === undefined ? (
                'Waiting for the call…'
              ) : (
                <bdi>{pending.slice(0, MAX_LINE_CHARS)}</bdi>
              ))}
          </p>
        ) : (
          <>
            <button type="button" class="line" aria-expanded={isOpened} onClick={() => setChosen(!isOpened)}>
              <span class="chevron" aria-hidden="true" />
              <span class="line-number">
                {call.thoughtNumber}/{Math.max(call.totalThoughts, call.thoughtNumber)}
              </span>
              {isOpened ? (
                <span class="line-text">Chain of thought</span>
              ) : (
                <span class="line-text" dir="auto">
                  {(call.thought ?? tree.opening).slice(0, MAX_LINE_CHARS)}
                </span>
              )}
            </button>
            {isOpened && (
              <>
                <h1 class="visually-hidden">Chain of thought</h1>
                <ChainPanel tree={tree} problem={problem} />
              </>
            )}
          </>
        )}
      </div>
    </TimeZone.Provider>
  )
}
