import { expect, test } from 'vitest'
import { wholeHistory } from '../../src/engine/history.ts'
import { fork, play, refuse, revision, step, steps } from '../helpers.ts'

test('opens a branch with its own numbers and leaves the main line alone', () => {
  const { chain, last } = play([
    ...steps(1, 2),
    fork(1, 'cache'),
    step(3, { branchId: 'cache' }),
    step(3, { branchId: 'main' }),
  ])
  expect(last.thought.line).toBe(chain.main)
  expect(chain.branches.get('cache')).toMatchObject({ next: 4, fork: { from: 1, parent: chain.main } })
  expect(wholeHistory(chain).map(({ thought, branches }) => [thought, branches])).toEqual([
    ['Idea 1', undefined],
    ['Idea 2', undefined],
    ['Idea 3', undefined],
    ['Idea 2 of cache', [1]],
    ['Idea 3 of cache', undefined],
  ])
})

test('takes the highest number of the session plus one as the first of a branch', () => {
  const { chain } = play([
    ...steps(1, 4),
    step(5, { branchFromThought: 2, branchId: 'x' }),
    step(6, { branchId: 'x' }),
  ])
  expect(chain.branches.get('x')).toMatchObject({ first: 5, next: 7 })
})

test('refuses any other first number and names the right one', () => {
  const { code, offers } = refuse(steps(1, 4), step(4, { branchFromThought: 2, branchId: 'x', thought: 'x' }))
  expect(code).toBe('thought_out_of_order')
  expect(offers[0]?.fields).toEqual({
    branchFromThought: 2,
    thoughtNumber: 3,
    revisionNumber: 0,
    branchId: 'x',
  })
})

test('names branches without a name and skips the names that are taken', () => {
  const { chain } = play([
    step(1),
    fork(1, 'branch-1'),
    fork(1, undefined),
    fork(1, undefined, { thought: 'Other' }),
  ])
  expect([...chain.branches.keys()]).toEqual(['branch-1', 'branch-2', 'branch-3'])
})

test('goes on with an auto-named branch by its fork point and next number', () => {
  const { last } = play([...steps(1, 2), fork(1, undefined), step(3, { branchFromThought: 1 })])
  expect(last.thought).toMatchObject({ thoughtNumber: 3, branches: [] })
  expect(last.thought.line.branchId).toBe('branch-1')
})

test('refuses a call that two auto-named branches could take', () => {
  const inputs = [...steps(1, 2), fork(1, undefined), fork(1, undefined, { thought: 'Other' })]
  const { code, offers } = refuse(inputs, step(3, { branchFromThought: 1, thought: 'Which?' }))
  expect(code).toBe('branch_ambiguous')
  expect(offers.map(({ fields }) => fields)).toEqual([
    { thoughtNumber: 3, branchId: 'branch-1' },
    { thoughtNumber: 3, branchId: 'branch-2' },
  ])
})

test('takes the same branchFromThought on every call of a branch', () => {
  const { chain } = play([...steps(1, 2), ...steps(2, 4, { branchId: 'x', branchFromThought: 1 })])
  expect(chain.branches.get('x')?.next).toBe(5)
})

test('refuses another branchFromThought for a branch that exists', () => {
  const { code, message, offers } = refuse(
    [...steps(1, 3), fork(1, 'x')],
    step(3, { branchId: 'x', branchFromThought: 2 }),
  )
  expect(code).toBe('branch_conflict')
  expect(message).toContain('forks from thought 1, not from 2')
  expect(offers.map(({ fields }) => fields)).toEqual([
    { thoughtNumber: 3, branchId: 'x' },
    { branchFromThought: 2, thoughtNumber: 3, revisionNumber: 0, branchId: 'from-2' },
  ])
})

test('refuses an unknown branch and lists those that exist', () => {
  const { code, offers } = refuse([...steps(1, 2), fork(1, 'x'), fork(1, 'y')], step(3, { branchId: 'z' }))
  expect(code).toBe('branch_not_found')
  expect(offers.map(({ fields }) => fields.branchId)).toEqual(['x', 'y', 'main'])
})

test('refuses a fork point that does not exist and says what does', () => {
  const { code, message } = refuse([...steps(1, 2), fork(1, 'x')], fork(9, 'b'))
  expect(code).toBe('branch_point_not_found')
  expect(message).toMatch(/the main line has thoughts 1 to 2 and branch "x" has thought 2/)
})

test('finds the fork point on the line of the last call first, and says so', () => {
  const onBranch = [...steps(1, 3), fork(1, 'x'), step(3, { branchId: 'x' })]
  const near = play([...onBranch, fork(3, 'near')])
  expect(near.chain.branches.get('near')?.fork?.parent.branchId).toBe('x')
  expect(near.last.notices.join()).toContain('branch "x"')
  const onMain = play([...onBranch, step(4, { branchId: 'main' }), fork(3, 'far')])
  expect(onMain.chain.branches.get('far')?.fork?.parent).toBe(onMain.chain.main)
  expect(onMain.last.notices).toEqual([])
})

test('finds the fork point on the only branch that has it', () => {
  const { chain, last } = play([
    ...steps(1, 2),
    fork(1, 'x'),
    step(3, { branchId: 'x' }),
    revision(1, 1),
    fork(3, 'y'),
  ])
  expect(chain.branches.get('y')?.fork?.parent.branchId).toBe('x')
  expect(last.notices.join()).toContain('branch "x"')
})

test('refuses a fork point that several branches have', () => {
  const inputs = [
    ...steps(1, 2),
    ...['x', 'y'].flatMap((branchId) => [fork(1, branchId), step(3, { branchId })]),
    revision(1, 1),
  ]
  const { code, message } = refuse(inputs, fork(3, 'z'))
  expect(code).toBe('branch_ambiguous')
  expect(message).toMatch(/branch "x" and branch "y"/)
})

test('allows twenty branches and refuses the next', () => {
  const inputs = [step(1), ...Array.from({ length: 20 }, (_, i) => fork(1, `b${i}`))]
  expect(play(inputs).chain.branches.size).toBe(20)
  const { code, offers } = refuse(inputs, fork(1, 'one more'))
  expect(code).toBe('branch_limit')
  expect(offers[0]?.fields).toEqual({ thoughtNumber: 3, branchId: 'b19' })
})

test('takes names of object members for plain names', () => {
  const { chain } = play([step(1), ...['__proto__', 'constructor', 'toString'].map((name) => fork(1, name))])
  expect([...chain.branches.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
  expect(refuse([step(1)], step(2, { branchId: 'hasOwnProperty' })).code).toBe('branch_not_found')
})

test('forks from a summarized thought', () => {
  const { chain } = play([...steps(1, 12), fork(4, 'x')], { maxChainLength: 11 })
  expect(chain.branches.get('x')).toMatchObject({ first: 5, next: 6 })
})
