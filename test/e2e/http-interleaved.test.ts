import { expect, test } from 'vitest'
import { CONNECTIONS, think } from './http-clients.ts'
import { startHttpProcess } from './http-process.ts'

const CONVERSATIONS = 50
const STEPS = 4

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

  async function converse(owner: number, conversation: number): Promise<unknown> {
    const { client } = clients[owner] ?? {}
    if (client === undefined) throw new Error('no client')
    let sessionId: unknown
    for (let number = 1; number <= STEPS; number++) {
      const thought = thoughtOf(owner, conversation, number)
      const { result, text } = await think(client, number, {
        thought,
        sessionId,
        totalThoughts: STEPS,
        nextThoughtNeeded: number < STEPS,
      })
      if (result.thoughtNumber !== number) throw new Error(`${thought}: ${text}`)
      sessionId = result.sessionId
      if (number < STEPS) continue
      const texts = result.thinkingHistory.map((node: { thought: string }) => node.thought)
      expect(texts).toEqual(Array.from({ length: STEPS }, (_, i) => thoughtOf(owner, conversation, i + 1)))
    }
    return sessionId
  }

  const all = clients.flatMap((_, owner) =>
    Array.from({ length: CONVERSATIONS }, (_, conversation) => converse(owner, conversation)),
  )
  expect(new Set(await Promise.all(all)).size).toBe(CLIENTS.length * CONVERSATIONS)
}, 60_000)
