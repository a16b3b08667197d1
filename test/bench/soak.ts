import { execFileSync } from 'node:child_process'
import { type Answer, RawPeer, stepOf, toolCall } from '../e2e/raw-peer.ts'

// npm run soak: whether the server grows with its life, and what it takes at most.

const STEPS = 20
const SESSIONS = 15_000
const THOUGHT_CHARS = 500
const SETTLED_SESSIONS = 3_000
const MAX_GROWTH = 1.1

const WORST_SESSIONS = 1000
const WORST_STEPS = 50
const WORST_CHARS = 2000

/** Sessions whose calls are sent together. */
const WIDTH = 100

interface Load {
  readonly sessions: number
  readonly steps: number
  readonly thought: (session: number, step: number) => string
  readonly onSessions?: (sessions: number, kilobytes: number) => void
}

const grown = await measureGrowth()
const worst = await measureWorstCase()
console.log(
  `Worst case, ${WORST_SESSIONS} chains of ${WORST_STEPS} thoughts of ${WORST_CHARS} CJK characters: ${megabytes(worst)}.`,
)
if (grown > MAX_GROWTH) {
  console.error(`Resident memory may grow ${MAX_GROWTH} times.`)
  process.exitCode = 1
}

/** How many times the memory after 60,000 thoughts the server takes after 300,000. */
async function measureGrowth(): Promise<number> {
  let settled = 0
  const last = await run([], {
    sessions: SESSIONS,
    steps: STEPS,
    thought: (session, step) => fill(`Thought ${step} of session ${session}. `, THOUGHT_CHARS),
    onSessions(sessions, kilobytes) {
      if (sessions === SETTLED_SESSIONS) settled = kilobytes
      if (sessions % SETTLED_SESSIONS === 0)
        console.log(`${sessions * STEPS} thoughts: ${megabytes(kilobytes)}`)
    },
  })
  console.log(
    `Growth from ${SETTLED_SESSIONS * STEPS} to ${SESSIONS * STEPS} thoughts: ${(last / settled).toFixed(2)} times.`,
  )
  return last / settled
}

async function measureWorstCase(): Promise<number> {
  return run(['--max-steps', String(WORST_STEPS)], {
    sessions: WORST_SESSIONS,
    steps: WORST_STEPS,
    thought: (session, step) => fill(`第${step}步，会话${session}：推理`, WORST_CHARS),
  })
}

/** @returns the resident memory at the end, in kilobytes */
async function run(args: readonly string[], { sessions, steps, thought, onSessions }: Load): Promise<number> {
  const answers = new Map<string | number | undefined, Answer>()
  const peer = new RawPeer({ args, onAnswer: (answer) => answers.set(answer.id, answer) })
  let kilobytes = 0
  for (let first = 0; first < sessions; first += WIDTH) {
    const ids: unknown[] = []
    for (let step = 1; step <= steps; step++) {
      for (let i = 0; i < WIDTH; i++) {
        const others = {
          thought: thought(first + i, step),
          sessionId: ids[i],
          nextThoughtNeeded: step < steps,
        }
        peer.write(toolCall(i, stepOf(step, others), 'modern'))
      }
      await peer.until(() => answers.size === WIDTH)
      for (const [i, { result }] of answers) {
        if (result?.structuredContent?.thoughtNumber !== step)
          throw new Error(`step ${step} was not recorded`)
        ids[Number(i)] = result.structuredContent.sessionId
      }
      answers.clear()
    }
    kilobytes = residentKilobytes(peer.child.pid)
    onSessions?.(first + WIDTH, kilobytes)
  }
  await peer.end()
  return kilobytes
}

function fill(text: string, chars: number): string {
  return text.repeat(Math.ceil(chars / text.length)).slice(0, chars)
}

function residentKilobytes(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' }))
}

function megabytes(kilobytes: number): string {
  return `${Math.round(kilobytes / 1024)} MB`
}
