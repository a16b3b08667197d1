import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ThoughtError } from '../../src/engine/errors.ts'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { createArgumentParser } from '../../src/tools/thought-arguments.ts'
import { errorOf } from '../helpers.ts'
import { stepArguments } from './desk.ts'

const parse = createArgumentParser(DEFAULT_LIMITS)

function inputWith(field: string, value: unknown): Record<string, unknown> {
  const { sessionId, input } = parse(stepArguments(1, { [field]: value }))
  return { ...input, sessionId }
}

function refusalWith(field: string, value: unknown): ThoughtError {
  return errorOf(() => parse(stepArguments(1, { [field]: value })))
}

const DEEP = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)

const NO_INTEGERS = [
  'abc',
  '0x10',
  '1.5',
  '3.0',
  '-1',
  '+1',
  '1e2',
  '1_000',
  '٣',
  '3 4',
  'three',
  'NaN',
  'Infinity',
  1.5,
  -1,
  2 ** 53,
  Number.POSITIVE_INFINITY,
  String(2 ** 53),
  '9'.repeat(400),
  true,
  [2],
  {},
  DEEP,
]

describe.each(['thoughtNumber', 'totalThoughts'])('%s', (field) => {
  test.each([
    [3, 3],
    ['3', 3],
    [' 3 ', 3],
    ['03', 3],
    ['\t3\n', 3],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('takes %j as %i', (value, expected) => {
    expect(inputWith(field, value)[field]).toBe(expected)
  })

  test.each([...NO_INTEGERS, false, '', '  ', 0, '0', null, undefined])('refuses value %#', (value) => {
    const { code, message } = refusalWith(field, value)
    expect(code).toBe('invalid_input')
    expect(message).toMatch(new RegExp(`^${field} is .*integer of 1 or more.*Send `))
  })
})

describe.each([
  ['revisionNumber', 0],
  ['branchFromThought', undefined],
])('%s', (field, absent) => {
  test.each([
    [2, 2],
    ['2', 2],
    [' 2 ', 2],
  ])('takes %j as %i', (value, expected) => {
    expect(inputWith(field, value)[field]).toBe(expected)
  })

  test.each([null, undefined, '', '  ', 0, '0'])('takes %j as absent', (value) => {
    expect(inputWith(field, value)[field]).toBe(absent)
  })

  test.each([...NO_INTEGERS, false])('refuses value %#', (value) => {
    const { code, message } = refusalWith(field, value)
    expect(code).toBe('invalid_input')
    expect(message).toMatch(new RegExp(`^${field} is .*integer.*Send .*leave it out`))
  })
})

describe('nextThoughtNeeded', () => {
  test.each([
    [true, [true, 'true', 'True', 'TRUE', ' true ', 1, '1', 'yes', 'Yes']],
    [false, [false, 'false', 'False', 'FALSE', ' false ', 0, '0', 'no', 'NO']],
  ])('takes these as %j', (expected, values) => {
    for (const value of values) expect(inputWith('nextThoughtNeeded', value).nextThoughtNeeded).toBe(expected)
  })

  test.each(['maybe', '', ' ', 'y', 'on', 'null', 2, -1, 1.5, [true], {}, null, undefined])(
    'refuses %j',
    (value) => {
      const { code, message } = refusalWith('nextThoughtNeeded', value)
      expect(code).toBe('invalid_input')
      expect(message).toMatch(/^nextThoughtNeeded is .*true or false.*Send /)
    },
  )
})

describe('branchId', () => {
  test.each([
    ['cache', 'cache'],
    ['  cache ', 'cache'],
    ['思'.repeat(64), '思'.repeat(64)],
    ['😀'.repeat(64), '😀'.repeat(64)],
    ['0', '0'],
    ['MAIN', 'main'],
    ['Main ', 'main'],
    [null, undefined],
    ['', undefined],
    ['  ', undefined],
    [0, undefined],
  ])('takes %j as %j', (value, expected) => {
    expect(inputWith('branchId', value).branchId).toBe(expected)
  })

  test.each([7, true, ['a'], {}])('refuses %j', (value) => {
    expect(refusalWith('branchId', value).message).toMatch(/^branchId is .*string.*leave it out/)
  })

  test('refuses more than 64 characters with the length and the limit', () => {
    expect(refusalWith('branchId', '😀'.repeat(65)).message).toMatch(/^branchId is .*65.*64/s)
  })

  test('refuses a fork of the main line', () => {
    const { code, message } = errorOf(() =>
      parse(stepArguments(3, { branchId: 'Main', branchFromThought: 2 })),
    )
    expect(code).toBe('invalid_input')
    expect(message).toMatch(/branchFromThought 2 and thoughtNumber 3/)
  })
})

describe('sessionId', () => {
  test.each([
    [' 0A1B-ff ', '0a1b-ff'],
    [null, undefined],
    ['', undefined],
    [0, undefined],
  ])('takes %j as %j', (value, expected) => {
    expect(inputWith('sessionId', value).sessionId).toBe(expected)
  })

  test.each([5, true, ['a'], {}])('refuses %j', (value) => {
    expect(refusalWith('sessionId', value).message).toMatch(/^sessionId is /)
  })
})

describe('thought', () => {
  test.each([' a ', '\u0000', '0', 'null', '思'.repeat(2000), '😀'.repeat(2000), '\u200b'])(
    'takes %j as it is',
    (value) => {
      expect(inputWith('thought', value).thought).toBe(value)
    },
  )

  test.each(['', ' ', ' \n\t ', '\ufeff', null, undefined, 7, 0, true, ['a'], { text: 'a' }])(
    'refuses %j',
    (value) => {
      const { code, message } = refusalWith('thought', value)
      expect(code).toBe('invalid_input')
      expect(message).toMatch(/^thought is .*1 to 2000 characters/)
    },
  )

  test.each(['思', '😀', 'a', '\ud800'])('refuses 2001 times %j with the length and the limit', (unit) => {
    const { code, message } = refusalWith('thought', unit.repeat(2001))
    expect(code).toBe('thought_too_long')
    expect(message).toMatch(/2001.*2000.*Nothing was stored/)
    expect(message).not.toContain(unit.repeat(9))
  })
})

test('names every invalid field in one error', () => {
  const { code, message } = errorOf(() =>
    parse({
      thought: 'x'.repeat(2001),
      thoughtNumber: 'one',
      totalThoughts: -3,
      nextThoughtNeeded: 'maybe',
      branchId: 7,
    }),
  )
  expect(code).toBe('invalid_input')
  for (const said of [
    'thought has 2001',
    'thoughtNumber is "one"',
    'totalThoughts is -3',
    'nextThoughtNeeded is "maybe"',
    'branchId is 7',
  ]) {
    expect(message).toContain(said)
  }
})

test.each([undefined, null, {}, [], 'text', 5])(
  'names every required field when the arguments are %j',
  (args) => {
    const { message } = errorOf(() => parse(args))
    for (const name of ['thought', 'thoughtNumber', 'totalThoughts', 'nextThoughtNeeded']) {
      expect(message).toContain(`${name} is missing`)
    }
  },
)

test('quotes at most 80 characters of a refused value', () => {
  const { message } = refusalWith('thoughtNumber', 'z'.repeat(5000))
  expect(message.match(/z+/)?.[0].length).toBeLessThanOrEqual(80)
  expect(message.length).toBeLessThan(400)
})

test('takes arguments that are exactly as advertised for what they are in any other spelling', () => {
  const name = fc.constantFrom(
    'idea',
    'a-b',
    'MAIN',
    'main',
    ' spaced ',
    '缓存',
    'x'.repeat(64),
    'x'.repeat(65),
    '',
  )
  const number = fc.constantFrom(0, 1, 2, 7, 2 ** 53 - 1, 2 ** 53, 1.5)
  const exact = fc.record(
    {
      thought: fc.constantFrom('One step.', ' padded ', '', ' \n', '😀'.repeat(1500), 'x'.repeat(2001)),
      thoughtNumber: number,
      totalThoughts: number,
      nextThoughtNeeded: fc.boolean(),
      revisionNumber: number,
      branchFromThought: number,
      branchId: name,
      sessionId: fc.oneof(
        name,
        fc.uuid(),
        fc.uuid().map((id) => id.toUpperCase()),
      ),
    },
    { requiredKeys: ['thought', 'thoughtNumber', 'totalThoughts', 'nextThoughtNeeded'] },
  )
  const outcomeOf = (args: unknown) => {
    try {
      return parse(args)
    } catch (error) {
      return error
    }
  }
  fc.assert(
    // A field that nobody knows is ignored, but the arguments are not as advertised then.
    fc.property(exact, (args) => {
      expect(outcomeOf(args)).toEqual(outcomeOf({ ...args, other: 1 }))
    }),
    { numRuns: 3_000, seed: 1 },
  )
})

test('takes snake_case names for the camelCase ones', () => {
  const { sessionId, input } = parse({
    thought: 'a',
    thought_number: '2',
    total_thoughts: 4,
    next_thought_needed: 'false',
    revision_number: 1,
    branch_from_thought: 1,
    branch_id: 'x',
    session_id: 'S',
  })
  expect({ sessionId, ...input }).toEqual({
    sessionId: 's',
    thought: 'a',
    thoughtNumber: 2,
    totalThoughts: 4,
    nextThoughtNeeded: false,
    revisionNumber: 1,
    branchFromThought: 1,
    branchId: 'x',
  })
})

test('refuses two values for one field, in whatever spelling, and takes one that is there twice', () => {
  expect(refusalWith('thought_number', 9)).toMatchObject({
    code: 'invalid_input',
    message:
      'thoughtNumber is 1 and thought_number is 9, which are two spellings of one field. Send thoughtNumber only.',
  })
  expect(inputWith('thought_number', ' 1 ').thoughtNumber).toBe(1)
  expect(inputWith('next_thought_needed', null)).toEqual(inputWith('other', 1))
})

test('takes the other spelling where the advertised one is null', () => {
  expect(parse(stepArguments(1, { thoughtNumber: null, thought_number: 9 })).input.thoughtNumber).toBe(9)
})

test.each([2 ** 53, '99999999999999999999', Number.POSITIVE_INFINITY])(
  'says up to where %s may go',
  (value) => {
    const { message } = refusalWith('totalThoughts', value)
    expect(message).toContain('it must be an integer of 1 or more, at most 9007199254740991,')
  },
)

test('ignores unknown fields, needsMoreThoughts among them', () => {
  const others = { mood: 'fine', needsMoreThoughts: 'perhaps', __proto__: 1, constructor: 'x' }
  expect(parse(stepArguments(1, others))).toEqual(parse(stepArguments(1)))
  const hostile = JSON.parse(
    '{"__proto__":{"branchId":"x"},"thought":"a","thoughtNumber":1,"totalThoughts":1,"nextThoughtNeeded":true}',
  )
  expect(parse(hostile).input.branchId).toBeUndefined()
})

describe('fields of the reference server', () => {
  test.each([true, 'true', 1, 'Yes'])(
    'takes isRevision %j with revisesThought for the next revision of that thought',
    (isRevision) => {
      const { input } = parse(stepArguments(4, { isRevision, revisesThought: '2' }))
      expect(input).toMatchObject({ thoughtNumber: 2, revisionNumber: 'next' })
    },
  )

  test('takes isRevision alone for the next revision of thoughtNumber if that exists', () => {
    expect(parse(stepArguments(4, { is_revision: true })).input).toMatchObject({
      thoughtNumber: 4,
      revisionNumber: 'next-if-recorded',
    })
  })

  test.each([false, 'false', null, '', 0])(
    'takes isRevision %j for a step, whatever revisesThought says',
    (isRevision) => {
      expect(parse(stepArguments(4, { isRevision, revisesThought: 'none' })).input).toMatchObject({
        thoughtNumber: 4,
        revisionNumber: 0,
      })
    },
  )

  test('lets revisionNumber win over isRevision', () => {
    const { input } = parse(stepArguments(2, { isRevision: true, revisesThought: 2, revisionNumber: 3 }))
    expect(input).toMatchObject({ thoughtNumber: 2, revisionNumber: 3 })
  })

  test('refuses two different targets', () => {
    const { code, message } = errorOf(() =>
      parse(stepArguments(4, { isRevision: true, revisesThought: 2, revisionNumber: 1 })),
    )
    expect(code).toBe('invalid_input')
    expect(message).toMatch(/revisesThought is 2 and thoughtNumber is 4/)
  })

  test.each([
    ['isRevision', 'perhaps'],
    ['isRevision', 7],
  ])('refuses %s %j', (field, value) => {
    expect(refusalWith(field, value).message).toMatch(new RegExp(`^${field} is `))
  })

  test('refuses a revisesThought that is no number', () => {
    const { message } = errorOf(() => parse(stepArguments(4, { isRevision: true, revisesThought: 'two' })))
    expect(message).toMatch(/^revisesThought is "two"/)
  })
})
