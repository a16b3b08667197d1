import { type Answer, codeOf, type Era } from '../e2e/raw-peer.ts'
import type { Kind } from './mutations.ts'

/**
 * What comes back: `recorded`, the tool's own error (`refused`), either of these (`tool`), no answer (`none`), the
 * SDK's error of a code, or whatever is JSON-RPC (`anything`). What is never expected is `unforeseen`.
 */
type Outcome = 'recorded' | 'refused' | 'tool' | 'none' | 'anything' | 'unforeseen' | number

const INVALID_PARAMS = -32602
const METHOD_NOT_FOUND = -32601

/**
 * Where the answer is `none` or a number it is the SDK's (@modelcontextprotocol/server 2.4.0): it answers nothing
 * to what is no JSON-RPC 2.0 message, though JSON-RPC knows error codes for that; and once a connection is of an
 * era, it takes any text for a protocol version.
 */
export const EXPECTED: Readonly<Record<Kind, Outcome | Readonly<Record<Era, Outcome>>>> = {
  'a valid call': 'recorded',
  'a Windows line end': 'recorded',
  'white space around': 'recorded',
  'an odd value of an argument': 'tool',
  'an odd value of an unknown argument': 'recorded',
  'an argument left out': 'refused',
  'an argument twice': 'recorded',
  'an argument nested deep': 'refused',
  'all arguments in the prototype': 'refused',
  'arguments that are no object': INVALID_PARAMS,
  'no arguments': 'refused',
  'a text with odd escapes': 'recorded',
  'a text too long': 'refused',
  'a text with invalid UTF-8': 'recorded',
  'a text with a raw control character': 'none',
  'a tool that does not exist': INVALID_PARAMS,
  'a tool name that is no string': INVALID_PARAMS,
  'an unknown param': 'recorded',
  'params that are no object': 'none',
  'no params': INVALID_PARAMS,
  '_meta that is no object': 'none',
  'an unknown value in _meta': 'recorded',
  'a progress token of a wrong type': 'none',
  'a protocol version of a wrong type': { legacy: 'recorded', modern: INVALID_PARAMS },
  'a protocol version that does not exist': 'recorded',
  'a method that does not exist': METHOD_NOT_FOUND,
  'a method that is no string': 'none',
  'a notification with an id': METHOD_NOT_FOUND,
  'a request without an id': 'none',
  'an id that is none': 'none',
  'another version of JSON-RPC': 'none',
  'an unknown member': 'none',
  'a member twice': 'recorded',
  'a response to nothing': 'none',
  'a cancellation of nothing': 'none',
  'a notification that does not exist': 'none',
  'a batch': 'none',
  'a line cut short': 'none',
  'two messages in one line': 'none',
  'a byte order mark': 'none',
  'invalid UTF-8 outside of texts': 'none',
  'a blank line': 'none',
  'a value that is no message': 'none',
  'bytes flipped': 'anything',
}

export function expectedOf(kind: Kind, era: Era): Outcome {
  const expected = EXPECTED[kind]
  return typeof expected === 'object' ? expected[era] : expected
}

export function outcomeOf(answer: Answer): Outcome {
  const { result, error } = answer
  if (error !== undefined) return error.code
  if (result?.isError !== true) return result?.structuredContent === undefined ? 'unforeseen' : 'recorded'
  // An error that the tool did not foresee has no code.
  return typeof codeOf(answer) === 'string' && result.structuredContent === undefined
    ? 'refused'
    : 'unforeseen'
}

export function isExpected(outcome: Outcome, expected: Outcome): boolean {
  if (expected === 'tool') return outcome === 'recorded' || outcome === 'refused'
  return outcome === expected
}
