import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { leanSdk } from '../../scripts/lean-sdk.ts'

const sdk = { isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse }

const GUARDS = [
  'isJSONRPCRequest',
  'isJSONRPCNotification',
  'isJSONRPCResultResponse',
  'isJSONRPCErrorResponse',
] as const

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    minifySyntax: true,
    plugins: [leanSdk],
  })
  return outputFiles[0]?.text ?? ''
}

const ABSENT = Symbol('absent')

/** What each member of a message may be, right and wrong. */
const MEMBERS: Record<string, unknown[]> = {
  jsonrpc: ['2.0', '1.0'],
  id: [ABSENT, undefined, null, 0, 1.5, 2 ** 53, 'a'],
  method: [ABSENT, 'ping', 7],
  params: [ABSENT, undefined, { a: 1 }, { _meta: {} }, [], null, { _meta: { progressToken: {} } }],
  result: [ABSENT, undefined, { tools: [] }, { _meta: { a: 1 } }, { _meta: 1 }, [], 'text', null],
  error: [ABSENT, undefined, { code: 1, message: 'no' }, { code: 'x' }, null],
}

/** Objects with every mix of members. */
function messages(): Record<string, unknown>[] {
  return Object.entries(MEMBERS).reduce<Record<string, unknown>[]>(
    (found, [name, values]) =>
      found.flatMap((message) =>
        values.map((value) => (value === ABSENT ? message : { ...message, [name]: value })),
      ),
    [{}],
  )
}

test('tells the kinds of messages apart as the SDK does', async () => {
  const code = await bundle(`export { ${GUARDS.join(', ')} } from '@modelcontextprotocol/server'`)
  const lean: typeof sdk = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const values = [undefined, null, 7, 'text', [], ...messages()]
  for (const guard of GUARDS) {
    const expected = values.filter((value) => sdk[guard](value))
    expect(expected.length).toBeGreaterThan(0)
    expect(values.filter((value) => lean[guard](value))).toEqual(expected)
  }
})

test('leaves out the schemas that nothing uses', async () => {
  const code = await bundle("export { McpServer } from '@modelcontextprotocol/server'")
  expect(code).toContain('JSONRPCRequestSchema = ')
  expect(code).not.toMatch(/OAuthTokensSchema = |CreateMessageResultSchema = |specTypeSchemas/)
})
