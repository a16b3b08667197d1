import { expect, test } from 'vitest'
import { CONNECTIONS, think } from './http-clients.ts'
import { startHttpProcess } from './http-process.ts'

const CONVERSATIONS = 50
const STEPS = 4

/** Calls of one client that are under way together. */
const AT_A_TIME = 10

/** Two of each kind: with tokens and all chains of four of them in one principal's store. */
const CLIENTS = (
  ['client 2, 2026-07-28', 'client 2, initialize', 'client 1, Streamable HTTP', 'client 1, SSE'] as const
).flatMap(
  (name) =>
    [
      { name, token: 'token-of-ann' },
      { name, token: 'token-of-ben' },
    ] as const,
)

test(`${CLIENTS.length} clients with ${CONVERSATIONS} interleaved conversations each mix and lose no thought`, async () => {
  const { origin } = await startHttpProcess([], { SEQTHINK_AUTH_TOKENS: 'ann:token-of-ann,ben:token-of-ben' })
  const clients = await Promise.all(
    CLIENTS.map(async ({ name, token }) => ({ client: await CONNECTIONS[name](origin, token), name, token })),
  )
  const thoughtOf = (owner: number, conversation: number, number: number) =>
    `client ${owner}, conversation ${conversation}, step ${number}`

  async function step(
    owner: number,
    conversation: number,
    number: number,
    sessionId: unknown,
  ): Promise<string> {
    const { client } = clients[owner] ?? {}
    if (client === undefined) throw new Error('no client')
    const thought = thoughtOf(owner, conversation, number)
    const nextThoughtNeeded = number < STEPS
    const { result, text } = await think(client, number, {
      thought,
      sessionId,
      totalThoughts: STEPS,
      nextThoughtNeeded,
    })
    if (result.thoughtNumber !== number) throw new Error(`${thought}: ${text}`)
    if (!nextThoughtNeeded) {
      const texts = result.thinkingHistory.map((node: { thought: string }) => node.thought)
      expect(texts).toEqual(Array.from({ length: STEPS }, (_, i) => thoughtOf(owner, conversation, i + 1)))
    }
    return result.sessionId
  }

  /** One step of each conversation, then the next step of each, several calls at a time. */
  async function interleave(owner: number): Promise<string[]> {
    let ids: (string | undefined)[] = Array(CONVERSATIONS).fill(undefined)
    for (let number = 1; number <= STEPS; number++) {
      const known: string[] = []
      for (let start = 0; start < CONVERSATIONS; start += AT_A_TIME) {
        const group = ids.slice(start, start + AT_A_TIME)
        known.push(...(await Promise.all(group.map((id, i) => step(owner, start + i, number, id)))))
      }
      ids = known
    }
    return ids.map(String)
  }

  const ids = await Promise.all(clients.map((_, owner) => interleave(owner)))
  expect(new Set(ids.flat()).size).toBe(CLIENTS.length * CONVERSATIONS)
}, 60_000)
