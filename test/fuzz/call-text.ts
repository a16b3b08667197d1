import { type Era, MODERN_META, stepOf } from '../e2e/raw-peer.ts'

/** JSON texts by name, for what no object of this program could say. `undefined` leaves a member out. */
type Members = Readonly<Record<string, string | undefined>>

interface Parts {
  readonly message?: Members
  readonly params?: Members
  readonly args?: Members
  readonly meta?: Members
}

/** A line that calls `sequential_thinking` as it should be called, but for the given parts. */
export function callText(id: string, era: Era, { message, params, args, meta }: Parts = {}): string {
  const ownMeta = era === 'modern' || meta !== undefined
  return `${render({
    jsonrpc: '"2.0"',
    id: JSON.stringify(id),
    method: '"tools/call"',
    params: render({
      name: '"sequential_thinking"',
      arguments: render({ ...textsOf(stepOf(1)), ...args }),
      _meta: ownMeta ? render({ ...(era === 'modern' && textsOf(MODERN_META)), ...meta }) : undefined,
      ...params,
    }),
    ...message,
  })}\n`
}

function textsOf(values: object): Members {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]))
}

function render(members: Members): string {
  const entries = Object.entries(members).filter(([, text]) => text !== undefined)
  return `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`
}
