import type { Era } from '../e2e/raw-peer.ts'
import { callText } from './call-text.ts'
import type { Random } from './random.ts'

/** One or more lines that go wrong in one way. `id` belongs to them alone. */
type Mutation = (id: string, era: Era, random: Random) => string | Uint8Array

const DEPTH = 10_000
const DEEP_ARRAY = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`
const DEEP_OBJECT = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`

const NUMBERS = ['-1', '1.5', '1e400', '-1e400', '9007199254740993', '1e-400', '-0', '1e30'] as const
const STRINGS = ['""', '" "', '"abc"', '"0x10"', '"\\ud800"', '"\\u0000"', '"__proto__"', '"1"'] as const
const OTHERS = [
  'null',
  'true',
  'false',
  '[]',
  '[1]',
  '{}',
  '{"__proto__":{}}',
  DEEP_ARRAY,
  DEEP_OBJECT,
] as const
const VALUES = [...NUMBERS, ...STRINGS, ...OTHERS] as const
const NO_OBJECTS = ['null', '"text"', '""', '[]', '[{}]', '1', 'true', DEEP_ARRAY] as const
const NO_STRINGS = ['null', '1', 'true', '[]', '{}', DEEP_OBJECT] as const
const NO_TEXT: readonly [readonly number[], ...(readonly number[])[]] = [
  [0xff],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f],
  [0xc0, 0xaf],
]

// Few of those nested deep: the SDK takes milliseconds for each.
const RESPONSES = [
  '"result":{}',
  '"result":{"content":[]}',
  '"result":{"_meta":null}',
  '"error":{"code":1,"message":"x"}',
  '"error":{"code":-32603,"message":"","data":[]}',
  `"result":{"a":${DEEP_OBJECT}}`,
] as const
const PARAMS = ['{}', '{"a":null}', '{"_meta":{}}', '{"__proto__":1}', `{"a":${DEEP_OBJECT}}`] as const

const REQUIRED = ['thought', 'thoughtNumber', 'totalThoughts', 'nextThoughtNeeded'] as const
const OPTIONAL = [
  'revisionNumber',
  'branchFromThought',
  'branchId',
  'sessionId',
  'isRevision',
  'revisesThought',
] as const
const UNKNOWN = ['extra', 'constructor', 'toString', '__proto__', 'needsMoreThoughts'] as const

/** Every kind of line; what the server does with each stands in `EXPECTED` under the same name. */
export const MUTATIONS = {
  'a valid call': (id, era) => callText(id, era),
  'a Windows line end': (id, era) => callText(id, era).replace('\n', '\r\n'),
  'white space around': (id, era, { pick }) =>
    `${pick([' ', '\t', '\r'])}${callText(id, era).trimEnd()} \t\n`,
  'an odd value of an argument': (id, era, { pick }) =>
    callText(id, era, { args: { [pick([...REQUIRED, ...OPTIONAL])]: pick(VALUES) } }),
  'an odd value of an unknown argument': (id, era, { pick }) =>
    callText(id, era, { args: { [pick(UNKNOWN)]: pick(VALUES) } }),
  'an argument left out': (id, era, { pick }) => callText(id, era, { args: { [pick(REQUIRED)]: undefined } }),
  'an argument twice': (id, era, { pick }) =>
    callText(id, era).replace('"arguments":{', `"arguments":{"thought":${pick(VALUES)},`),
  'an argument nested deep': (id, era, { pick }) =>
    callText(id, era, {
      args: { [pick(REQUIRED)]: pick([DEEP_ARRAY, DEEP_ARRAY, DEEP_ARRAY, DEEP_OBJECT]) },
    }),
  'all arguments in the prototype': (id, era) =>
    callText(id, era, { params: { arguments: '{"__proto__":{"thought":"x","thoughtNumber":1}}' } }),
  'arguments that are no object': (id, era, { pick }) =>
    callText(id, era, { params: { arguments: pick(NO_OBJECTS) } }),
  'no arguments': (id, era) => callText(id, era, { params: { arguments: undefined } }),
  'a text with odd escapes': (id, era, { pick }) =>
    callText(id, era, {
      args: { thought: pick(['"\\ud800"', '"\\u0000x"', '"\\u2028\\u202e"', '"</script>%s{{y}}"']) },
    }),
  'a text too long': (id, era, { below, pick }) =>
    callText(id, era, {
      args: { thought: `"${pick(['x', '思', '🧠', '\\u0001']).repeat(2001 + below(20_000))}"` },
    }),
  'a text with invalid UTF-8': (id, era, { pick }) => insert(callText(id, era), 'Idea', pick(NO_TEXT)),
  'a text with a raw control character': (id, era, { pick }) =>
    insert(callText(id, era), 'Idea', [pick([0, 1, 9, 13, 31])]),
  'a tool that does not exist': (id, era, { pick }) =>
    callText(id, era, {
      params: { name: pick(['"__proto__"', '"constructor"', '""', '"sequentialthinking"']) },
    }),
  'a tool name that is no string': (id, era, { pick }) =>
    callText(id, era, { params: { name: pick(NO_STRINGS) } }),
  'an unknown param': (id, era, { pick }) => callText(id, era, { params: { [pick(UNKNOWN)]: pick(VALUES) } }),
  'params that are no object': (id, era, { pick }) =>
    callText(id, era, { message: { params: pick(NO_OBJECTS) } }),
  'no params': (id, era) => callText(id, era, { message: { params: undefined } }),
  '_meta that is no object': (id, era, { pick }) =>
    callText(id, era, { params: { _meta: pick(NO_OBJECTS) } }),
  'an unknown value in _meta': (id, era, { pick }) =>
    callText(id, era, { meta: { [pick(UNKNOWN)]: pick(VALUES) } }),
  'a progress token of a wrong type': (id, era, { pick }) =>
    callText(id, era, { meta: { progressToken: pick(['null', '{}', 'true', '[]', DEEP_ARRAY]) } }),
  'a protocol version of a wrong type': (id, era, { pick }) =>
    callText(id, era, { meta: { 'io.modelcontextprotocol/protocolVersion': pick([...OTHERS, '1']) } }),
  'a protocol version that does not exist': (id, era, { pick }) =>
    callText(id, era, {
      meta: { 'io.modelcontextprotocol/protocolVersion': pick(['"1999-01-01"', '"__proto__"', '""']) },
    }),
  'a method that does not exist': (id, era, { pick }) =>
    callText(id, era, {
      message: {
        method: pick(['""', '"tools/Call"', '"__proto__"', '"constructor"', '"sampling/createMessage"']),
      },
    }),
  'a method that is no string': (id, era, { pick }) =>
    callText(id, era, { message: { method: pick(NO_STRINGS) } }),
  'a notification with an id': (id, era, { pick }) =>
    callText(id, era, {
      message: {
        method: pick(['"notifications/initialized"', '"notifications/cancelled"', '"notifications/x"']),
      },
    }),
  'a request without an id': (id, era) => callText(id, era, { message: { id: undefined } }),
  'an id that is none': (id, era, { pick }) =>
    callText(id, era, {
      message: { id: pick(['null', '1.5', 'true', '[]', '{}', '1e400', '1e30', DEEP_ARRAY]) },
    }),
  'another version of JSON-RPC': (id, era, { pick }) =>
    callText(id, era, { message: { jsonrpc: pick(['"1.0"', '2', 'null', '2.0', '[]', undefined]) } }),
  'an unknown member': (id, era, { pick }) =>
    callText(id, era, {
      message: { [pick(['extra', 'result', 'error', '__proto__'])]: pick(['{}', '1', '{"method":"ping"}']) },
    }),
  'a member twice': (id, era, { pick }) =>
    callText(id, era).replace('{', `{"${pick(['id', 'method', 'params', 'jsonrpc'])}":${pick(VALUES)},`),
  'a response to nothing': (_, __, { pick }) =>
    `{"jsonrpc":"2.0","id":${pick(['1', '"1"', '-7'])},${pick(RESPONSES)}}\n`,
  'a cancellation of nothing': (_, __, { pick }) =>
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${pick(['0', '"x"', 'null', '[]', '1.5'])},"reason":${pick(['"late"', '7'])}}}\n`,
  'a notification that does not exist': (_, __, { pick }) =>
    `{"jsonrpc":"2.0","method":${pick(['"x"', '"__proto__"', '""'])},"params":${pick(PARAMS)}}\n`,
  'a batch': (id, era, { pick }) =>
    `[${pick([callText(id, era), '', `${callText(id, era)},${callText(id, era)}`]).replaceAll('\n', '')}]\n`,
  'a line cut short': (id, era, { below }) =>
    `${callText(id, era).slice(0, below(callText(id, era).length - 1))}\n`,
  'two messages in one line': (id, era) => `${callText(id, era).trimEnd()}${callText(id, era)}`,
  'a byte order mark': (id, era) => `\u{feff}${callText(id, era)}`,
  'invalid UTF-8 outside of texts': (id, era, { pick }) =>
    insert(callText(id, era), '"jsonrpc"', pick(NO_TEXT)),
  'a blank line': (_, __, { pick }) => pick(['\n', '\r\n', ' \n', '\t\n', '\n\n\n', '\u0000\n']),
  'a value that is no message': (_, __, { pick }) => `${pick(VALUES)}\n`,
  'bytes flipped': (id, era, random) => flip(callText(id, era), random),
} as const satisfies Record<string, Mutation>

export type Kind = keyof typeof MUTATIONS

function insert(line: string, before: string, bytes: readonly number[]): Uint8Array {
  const at = line.indexOf(before)
  return Buffer.concat([Buffer.from(line.slice(0, at)), Buffer.from(bytes), Buffer.from(line.slice(at))])
}

function flip(line: string, { below }: Random): Uint8Array {
  const bytes = Buffer.from(line)
  for (let flips = 1 + below(8); flips > 0; flips--) {
    const at = below(bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
  }
  return bytes
}
