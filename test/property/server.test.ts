import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryIntent, arbitraryLimits, toCall } from './arbitrary-calls.ts'
import { connect, type Era } from './memory-client.ts'
import { type Call, ModelChain } from './rules-model.ts'

const MAX_SESSIONS = 3

interface ModelSession {
  readonly id: string
  readonly chain: ModelChain
  readonly sent: Call[]
}

const arbitraryVisit = fc.record({
  intent: arbitraryIntent(),
  opens: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  session: fc.nat(5),
  leavesOutId: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  spelling: fc.nat(4),
  reads: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
type Visit = typeof arbitraryVisit extends fc.Arbitrary<infer T> ? T : never

test.each(['legacy', 'modern'] as const)(
  'a server of the %s era keeps and gives back what the model of the rules does',
  async (era) => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryLimits,
        fc.array(arbitraryVisit, { maxLength: 25, size: 'max' }),
        (limits, visits) => compare(era, limits, visits),
      ),
      { numRuns: 150 },
    )
  },
  60_000,
)

async function compare(
  era: Era,
  limits: typeof arbitraryLimits extends fc.Arbitrary<infer T> ? T : never,
  visits: readonly Visit[],
): Promise<void> {
  const client = await connect(era, { limits, maxSessions: MAX_SESSIONS })
  /** Last used first. */
  let kept: ModelSession[] = []
  const issued: ModelSession[] = []
  const use = (session: ModelSession) => {
    kept = [session, ...kept.filter((other) => other !== session)].slice(0, MAX_SESSIONS)
  }

  async function open({ intent, spelling }: Visit): Promise<void> {
    const chain = new ModelChain(limits)
    const { thought, meaning, totalThoughts, nextThoughtNeeded } = toCall(intent, chain, [])
    const call = { thought, meaning, thoughtNumber: 1, totalThoughts, nextThoughtNeeded, revisionNumber: 0 }
    const expected = chain.record(call)
    const { result } = await client.call('sequential_thinking', spell(call, undefined, spelling))
    expect(result).toMatchObject(resultOf(chain, expected))
    const session = { id: String(result?.sessionId), chain, sent: [call] }
    expect(issued.map(({ id }) => id)).not.toContain(session.id)
    issued.push(session)
    use(session)
  }

  async function goOn(session: ModelSession, { intent, leavesOutId, spelling }: Visit): Promise<void> {
    const call = toCall(intent, session.chain, session.sent)
    const opensAnother =
      leavesOutId &&
      call.thoughtNumber === 1 &&
      call.revisionNumber === 0 &&
      call.branchFromThought === undefined
    if (opensAnother) return
    const { code, isError, result, text } = await client.call(
      'sequential_thinking',
      spell(call, leavesOutId ? undefined : session.id, spelling),
    )
    const open = kept.filter(({ chain }) => chain.isOpen)
    const target = !leavesOutId ? session : era === 'legacy' && open.length === 1 ? open[0] : undefined
    if (target === undefined) {
      expect(code).toBe('session_required')
      return
    }
    if (!kept.includes(target)) {
      expect(code).toBe('session_not_found')
      return
    }
    target.sent.push(call)
    const expected = target.chain.record(call)
    if ('refused' in expected) {
      expect([code, isError, result]).toEqual([expected.refused, true, undefined])
      return
    }
    use(target)
    expect(JSON.parse(text)).toEqual(result)
    expect(result).toMatchObject({ sessionId: target.id, ...resultOf(target.chain, expected) })
  }

  async function read(session: ModelSession): Promise<void> {
    const { code, result } = await client.call('get_thinking', { sessionId: session.id.toUpperCase() })
    if (!kept.includes(session)) {
      expect(code).toBe('session_not_found')
      return
    }
    use(session)
    expect(result).toMatchObject({
      nextThoughtNeeded: session.chain.isOpen,
      nextThoughtNumber: session.chain.nextOn('main'),
      branches: session.chain.branches(),
      thoughtHistoryLength: session.chain.length,
      thinkingHistory: session.chain.history(),
    })
  }

  for (const visit of visits) {
    const session = issued[visit.session % Math.max(1, issued.length)]
    if (session === undefined || visit.opens) await open(visit)
    else if (visit.reads) await read(session)
    else await goOn(session, visit)
    const { result } = await client.call('get_thinking', {})
    expect(result?.sessions).toMatchObject(kept.map(listed))
  }
  for (const session of issued) await read(session)
  await client.close()
}

function resultOf(chain: ModelChain, expected: ReturnType<ModelChain['record']>): object {
  if ('refused' in expected) throw new Error(`the model refuses to open a chain: ${expected.refused}`)
  const { thought, isStopped } = expected
  const warning = isStopped ? [{ isWarning: true, thoughtNumber: thought.number }] : []
  return {
    thoughtNumber: thought.number,
    totalThoughts: thought.total,
    nextThoughtNeeded: chain.isOpen,
    revisionNumber: thought.version,
    branches: chain.branches(),
    thoughtHistoryLength: chain.length,
    ...(thought.line !== 'main' && { branchId: thought.line }),
    ...(chain.isOpen && { nextThoughtNumber: chain.nextOn(thought.line) }),
    ...(chain.lines.length > 1 && { mainNextThoughtNumber: chain.nextOn('main') }),
    thinkingHistory: [...chain.history(), ...warning],
  }
}

function listed({ id, chain }: ModelSession) {
  return {
    sessionId: id,
    steps: chain.thoughts.length,
    nextThoughtNeeded: chain.isOpen,
    nextThoughtNumber: chain.nextOn('main'),
  }
}

/** The same call as different models write it. */
function spell(call: Call, sessionId: string | undefined, spelling: number): object {
  const { meaning: _, ...fields } = call
  const args = { ...fields, sessionId }
  const entries = Object.entries(args)
  switch (spelling) {
    case 1:
      return Object.fromEntries(entries.map(([name, value]) => [snakeCase(name), value ?? null]))
    case 2:
      return Object.fromEntries(
        entries.map(([name, value]) => [name, value === undefined ? '' : String(value)]),
      )
    case 3:
      return { ...args, isRevision: false, needsMoreThoughts: true, revisesThought: 0, extra: [args] }
    default:
      return args
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
