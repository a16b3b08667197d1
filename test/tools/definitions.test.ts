import { describe, expect, test } from 'vitest'
import type { JsonSchema, Tool } from '../../src/tools/tool.ts'
import { createDesk } from './desk.ts'

const { sequentialThinking, getThinking } = createDesk()
const TOOLS: Tool[] = [sequentialThinking, getThinking]
const FORBIDDEN = [
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'format',
  'pattern',
  'exclusiveMinimum',
  'maximum',
  '$schema',
]

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Every property of a schema with its path, those of nested objects and items too. */
function properties(schema: JsonSchema, path = ''): [string, JsonSchema][] {
  const own = isSchema(schema.properties) ? Object.entries(schema.properties) : []
  const nested = own.flatMap(([name, property]): [string, JsonSchema][] =>
    isSchema(property) ? [[`${path}${name}`, property], ...properties(property, `${path}${name}.`)] : [],
  )
  return isSchema(schema.items) ? [...nested, ...properties(schema.items, path)] : nested
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe('byte budgets', () => {
  test('the description of sequential_thinking has at most 1,024 characters', () => {
    expect(sequentialThinking.description.length).toBeLessThanOrEqual(1024)
  })

  test('the description of get_thinking has at most 250 characters', () => {
    expect(getThinking.description.length).toBeLessThanOrEqual(250)
  })

  test('names, descriptions and input schemas take at most 2,400 bytes', () => {
    expect(
      bytes(TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
    ).toBeLessThanOrEqual(2400)
  })
})

describe.each(TOOLS)('the schemas of $name', ({ inputSchema, outputSchema }) => {
  test('are plain', () => {
    for (const schema of [inputSchema, outputSchema ?? inputSchema]) {
      expect(schema.type).toBe('object')
      for (const word of FORBIDDEN) expect(JSON.stringify(schema)).not.toContain(`"${word}":`)
      for (const [path, { type }] of properties(schema)) expect([path, typeof type]).toEqual([path, 'string'])
    }
  })

  test('describe every field', () => {
    for (const schema of [inputSchema, outputSchema ?? inputSchema]) {
      for (const [path, { description }] of properties(schema)) {
        expect([path, String(description ?? '').length > 1]).toEqual([path, true])
      }
    }
  })
})

test('sequential_thinking advertises the eight fields of the contract and no others', () => {
  expect(
    properties(sequentialThinking.inputSchema).map(([path, { type, minimum }]) => [path, type, minimum]),
  ).toEqual([
    ['thought', 'string', undefined],
    ['thoughtNumber', 'integer', 1],
    ['totalThoughts', 'integer', 1],
    ['nextThoughtNeeded', 'boolean', undefined],
    ['revisionNumber', 'integer', 0],
    ['branchFromThought', 'integer', 1],
    ['branchId', 'string', undefined],
    ['sessionId', 'string', undefined],
  ])
  expect(sequentialThinking.inputSchema.required).toEqual([
    'thought',
    'thoughtNumber',
    'totalThoughts',
    'nextThoughtNeeded',
  ])
})

test('the description names fields as the schema spells them', () => {
  const known = [...properties(sequentialThinking.inputSchema).map(([path]) => path)]
  const named = sequentialThinking.description.match(/\b[a-z]+[A-Z]\w+/g) ?? []
  expect(named.length).toBeGreaterThan(5)
  for (const name of named) expect(known).toContain(name)
})

test.each([
  ['when not to use it', /one sentence/],
  ['what to write', /conclusions and reasons/],
  ['when to stop', /nextThoughtNeeded to false as soon as/],
  ['how to revise', /full replacement text/],
  ['where a branch starts', /branchFromThought \+ 1/],
  ['how to leave a branch', /leave branchId out to go on with the main line/],
  ['that a closed chain goes on', /closed chain can still be corrected or continued/i],
  ['to pass the id back', /pass sessionId back/],
  ['how long chains are kept', /1000 chains last used/],
])('the description says %s', (_, words) => {
  expect(sequentialThinking.description).toMatch(words)
})

test('the annotations promise what the tools keep', () => {
  expect(sequentialThinking.annotations).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  })
  expect(getThinking.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true })
  expect(getThinking.outputSchema).toBeUndefined()
})
