import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { createOpenChains } from '../../src/sessions/open-chains.ts'
import { play, step } from '../helpers.ts'

const OWNER = 'me'

function setup(maxSessions = 10) {
  const sessions = createMemoryStore({ maxSessions })
  const openChains = createOpenChains({ maxSessions })
  return {
    sessions,
    openChains,
    find: () => openChains.find(sessions, OWNER),
    open: async () => {
      const sessionId = await sessions.add(OWNER, play([step(1)]).chain)
      openChains.note(sessionId, true)
      return sessionId
    },
  }
}

test('finds none before a chain was opened', async () => {
  expect(await setup().find()).toBe('none')
})

test('finds the only open chain', async () => {
  const { open, find } = setup()
  const only = await open()
  expect(await find()).toEqual({ only })
})

test('finds several', async () => {
  const { open, find } = setup()
  await open()
  await open()
  expect(await find()).toBe('several')
})

test('finds the one that is left when the other was closed', async () => {
  const { open, find, openChains } = setup()
  const only = await open()
  openChains.note(await open(), false)
  expect(await find()).toEqual({ only })
})

test('forgets a chain that another connection has closed', async () => {
  const { open, find, sessions } = setup()
  const sessionId = await open()
  await sessions.use({ owner: OWNER, sessionId }, (chain) =>
    chain.record(step(2, { nextThoughtNeeded: false })),
  )
  expect(await find()).toBe('none')
})

test('forgets a chain that the store has dropped', async () => {
  const { open, find } = setup(1)
  await open()
  const only = await open()
  expect(await find()).toEqual({ only })
})

test('remembers a chain that was read as long as the store keeps it', async () => {
  const { open, find, openChains, sessions } = setup(2)
  const first = await open()
  await open()
  await sessions.use({ owner: OWNER, sessionId: first }, (chain) => chain)
  openChains.noteRead(first)
  await open()
  expect(await find()).toBe('several')
})
