import { expect, test } from 'vitest'
import { fork, play, refuse, step, steps } from '../helpers.ts'

test('appends the number that follows the last one', () => {
  const { chain } = play(steps(1, 4))
  expect(chain.main.kept.map((thought) => thought.thoughtNumber)).toEqual([1, 2, 3, 4])
  expect(chain.main.next).toBe(5)
  expect(chain.steps).toBe(4)
})

test('refuses a number that exists with three ways on', () => {
  const { code, message, offers } = refuse(steps(1, 3), step(2, { thought: 'Something else' }))
  expect(code).toBe('thought_exists')
  expect(message).toContain('Thought 2 already exists')
  expect(offers).toEqual([
    { fields: { thoughtNumber: 2, revisionNumber: 1 }, without: [], isNewChain: false },
    { fields: { thoughtNumber: 4 }, without: [], isNewChain: false },
    expect.objectContaining({ fields: { thoughtNumber: 1 }, isNewChain: true }),
  ])
})

test('refuses a number that exists and was revised too often with a branch in its place', () => {
  const revised = [1, 2, 3].map((revisionNumber) =>
    step(2, { thought: `v${revisionNumber}`, revisionNumber }),
  )
  const { code, offers } = refuse([...steps(1, 3), ...revised], step(2, { thought: 'Something else' }))
  expect(code).toBe('thought_exists')
  expect(offers[0]?.fields).toMatchObject({ branchFromThought: 1, thoughtNumber: 2 })
})

test('refuses a number beyond the next and names the next', () => {
  const { code, message, offers } = refuse(steps(1, 2), step(5))
  expect(code).toBe('thought_out_of_order')
  expect(message).toContain('thoughts 1 to 2')
  expect(offers.map(({ fields }) => fields)).toEqual([{ thoughtNumber: 3 }])
})

test('loses nothing of steps that arrive out of order when the refused ones are sent again', () => {
  const { chain } = play([step(1)])
  const refused = [step(4), step(2), step(3)].filter((input) => {
    try {
      chain.record(input)
      return false
    } catch {
      return true
    }
  })
  expect(refused.map((input) => input.thoughtNumber)).toEqual([4])
  for (const input of refused) chain.record(input)
  expect(chain.nodes.map((node) => node.thought)).toEqual(['Idea 1', 'Idea 2', 'Idea 3', 'Idea 4'])
})

test('names the branch that expects the number that the main line refuses', () => {
  const inputs = [...steps(1, 4), fork(1, 'a'), step(3, { branchId: 'a' })]
  const { code, offers } = refuse(inputs, step(4, { thought: 'x', branchId: 'main' }))
  expect(code).toBe('thought_exists')
  expect(offers.map(({ fields }) => fields)).toContainEqual({ thoughtNumber: 4, branchId: 'a' })
})
