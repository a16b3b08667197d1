import { expect, test } from 'vitest'
import { play, revision, step, steps } from '../helpers.ts'

const END = { nextThoughtNeeded: false, totalThoughts: 1 }

test('is open or closed as the last recorded call left it', () => {
  expect(play(steps(1, 2)).chain.isOpen).toBe(true)
  expect(play([step(1), step(2, END)]).chain.isOpen).toBe(false)
  expect(play([step(1), step(2, END), step(3)]).chain.isOpen).toBe(true)
  expect(play([step(1, END)]).chain.isOpen).toBe(false)
})

test('says that a call has reopened the chain', () => {
  const { last } = play([step(1), step(2, END), step(3)])
  expect(last.notices.join()).toMatch(/reopened/)
  expect(play([step(1), step(2, END), step(3), step(4)]).last.notices).toEqual([])
})

test('lets a closed chain be corrected without opening it', () => {
  const { chain, last } = play([step(1), step(2, END), revision(2, 1, END)])
  expect(chain.isOpen).toBe(false)
  expect(last).toMatchObject({ closes: false, nextThoughtNeeded: false })
  expect(last.notices[0]).toMatch(/^Stop calling/)
})

test('does not reopen a chain that is stopped again', () => {
  const { chain, last } = play([...steps(1, 3), step(4)], { maxSteps: 3 })
  expect(chain.isOpen).toBe(false)
  expect(last.closes).toBe(false)
  expect(last.notices.join()).not.toMatch(/reopened/)
})
