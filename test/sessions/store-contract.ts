import { describe, expect, test, vi } from 'vitest'
import type { ThoughtChain } from '../../src/engine/thought-chain.ts'
import type { SessionStore } from '../../src/sessions/session-store.ts'
import { play, step } from '../helpers.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const OWNER = 'me'

/** What every store keeps, wherever it keeps it. */
export function describeStore(
  name: string,
  create: (options: { maxSessions: number }) => Promise<SessionStore>,
) {
  describe(name, () => {
    test('makes a UUID for each chain and gives the chain back by it', async () => {
      const store = await create({ maxSessions: 10 })
      const one = await add(store, 'One')
      const other = await add(store, 'Other')
      expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      expect(other).not.toBe(one)
      expect(await openingOf(store, one)).toBe('One')
      expect(await openingOf(store, other)).toBe('Other')
    })

    test('can be told to keep more than there ever will be', async () => {
      const store = await create({ maxSessions: Number.MAX_SAFE_INTEGER })
      expect(await openingOf(store, await add(store, 'One'))).toBe('One')
    })

    test('keeps what a call has recorded', async () => {
      const store = await create({ maxSessions: 10 })
      const sessionId = await add(store)
      await record(store, sessionId, 2)
      expect(await stepsOf(store, sessionId)).toBe(2)
    })

    test.each(['00000000-0000-4000-8000-000000000000', 'nope', '', '__proto__', 'constructor'])(
      'has no session %j',
      async (sessionId) => {
        const store = await create({ maxSessions: 10 })
        await add(store)
        const use = vi.fn(() => ({}))
        expect(await store.use({ owner: OWNER, sessionId }, use)).toBeUndefined()
        expect(use).not.toHaveBeenCalled()
        expect(await store.isOpen({ owner: OWNER, sessionId })).toBe(false)
      },
    )

    test('keeps the sessions of owners apart', async () => {
      const store = await create({ maxSessions: 1 })
      const mine = await add(store, 'Mine')
      const theirs = await store.add('them', play([step(1, { thought: 'Theirs' })]).chain)
      expect(await openingOf(store, mine)).toBe('Mine')
      expect(await openingOf(store, theirs)).toBeUndefined()
      expect(await store.isOpen({ owner: OWNER, sessionId: theirs })).toBe(false)
      expect((await store.list(OWNER, 10)).map(({ sessionId }) => sessionId)).toEqual([mine])
      expect(await store.list('nobody', 10)).toEqual([])
    })

    test('drops the least recently used session beyond the cap', async () => {
      const store = await create({ maxSessions: 2 })
      const [a, b] = [await add(store), await add(store)]
      await record(store, a, 2)
      const c = await add(store)
      expect(await listed(store)).toEqual([c, a])
      expect(await stepsOf(store, b)).toBeUndefined()
    })

    test('counts a read as use', async () => {
      const store = await create({ maxSessions: 2 })
      const [a, b] = [await add(store), await add(store)]
      await store.use({ owner: OWNER, sessionId: a }, () => ({}))
      await add(store)
      expect(await stepsOf(store, a)).toBe(1)
      expect(await stepsOf(store, b)).toBeUndefined()
    })

    test('does not count a refused call as use, and passes its error on', async () => {
      const store = await create({ maxSessions: 2 })
      const [a, b] = [await add(store), await add(store)]
      await expect(record(store, a, 7)).rejects.toMatchObject({ code: 'thought_out_of_order' })
      const c = await add(store)
      expect(await listed(store)).toEqual([c, b])
    })

    test('does not count isOpen and list as use', async () => {
      const store = await create({ maxSessions: 2 })
      const [a, b] = [await add(store), await add(store)]
      expect(await store.isOpen({ owner: OWNER, sessionId: a })).toBe(true)
      await store.list(OWNER, 10)
      const c = await add(store)
      expect(await listed(store)).toEqual([c, b])
    })

    test('knows whether a chain is open', async () => {
      const store = await create({ maxSessions: 2 })
      const sessionId = await add(store)
      await store.use({ owner: OWNER, sessionId }, (chain) =>
        chain.record(step(2, { nextThoughtNeeded: false })),
      )
      expect(await store.isOpen({ owner: OWNER, sessionId })).toBe(false)
    })

    test('lists the last used first, at most as many as asked', async () => {
      const store = await create({ maxSessions: 10 })
      const [a, b, c] = [await add(store), await add(store), await add(store)]
      await record(store, a, 2)
      expect(await listed(store)).toEqual([a, c, b])
      expect((await store.list(OWNER, 2)).map(({ sessionId }) => sessionId)).toEqual([a, c])
    })

    test('lists what a person recognizes a chain by', async () => {
      const store = await create({ maxSessions: 10 })
      const sessionId = await add(store, '思'.repeat(100))
      await record(store, sessionId, 2)
      const [summary] = await store.list(OWNER, 10)
      expect(summary).toEqual({
        sessionId,
        opening: '思'.repeat(80),
        steps: 2,
        nextThoughtNeeded: true,
        nextThoughtNumber: 3,
        opened: expect.stringMatching(ISO_TIME),
        lastCall: expect.stringMatching(ISO_TIME),
        lastUsed: expect.stringMatching(ISO_TIME),
      })
    })

    test('takes calls on one session in the order in which they were made', async () => {
      const store = await create({ maxSessions: 10 })
      const sessionId = await add(store)
      await Promise.all(Array.from({ length: 20 }, (_, i) => record(store, sessionId, i + 2)))
      expect(await stepsOf(store, sessionId)).toBe(21)
    })

    test('goes on with the later calls on a session after one was refused', async () => {
      const store = await create({ maxSessions: 10 })
      const sessionId = await add(store)
      const settled = await Promise.allSettled([2, 9, 3].map((number) => record(store, sessionId, number)))
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await stepsOf(store, sessionId)).toBe(3)
    })
  })
}

async function add(store: SessionStore, thought = 'Idea 1'): Promise<string> {
  return store.add(OWNER, play([step(1, { thought })]).chain)
}

async function record(store: SessionStore, sessionId: string, thoughtNumber: number) {
  return store.use({ owner: OWNER, sessionId }, (chain) => chain.record(step(thoughtNumber)))
}

async function read<T>(
  store: SessionStore,
  sessionId: string,
  of: (chain: ThoughtChain) => T,
): Promise<T | undefined> {
  return (await store.use({ owner: OWNER, sessionId }, (chain) => ({ value: of(chain) })))?.value
}

async function openingOf(store: SessionStore, sessionId: string) {
  return read(store, sessionId, (chain) => chain.opening)
}

async function stepsOf(store: SessionStore, sessionId: string) {
  return read(store, sessionId, (chain) => chain.steps)
}

async function listed(store: SessionStore): Promise<string[]> {
  return (await store.list(OWNER, 100)).map(({ sessionId }) => sessionId)
}
