import { expect, test } from 'vitest'
import { eachOnFirstUse, onFirstUse } from '../src/on-first-use.ts'

test('makes a value once, when it is asked for', () => {
  let calls = 0
  const value = onFirstUse(() => {
    calls += 1
    return undefined
  })
  expect(calls).toBe(0)
  expect([value(), value(), calls]).toEqual([undefined, undefined, 1])
})

test('makes each member of an object once, when it is read', () => {
  const made: string[] = []
  const make = (name: string) => () => {
    made.push(name)
    return { name }
  }
  const members = eachOnFirstUse({ a: make('a'), b: make('b') })
  expect(made).toEqual([])
  expect(members.b).toBe(members.b)
  expect(made).toEqual(['b'])
  expect([members.toString, members.absent]).toEqual([undefined, undefined])
})
