import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { lazySchemas } from './lazy-schemas.ts'

interface Edit {
  readonly find: RegExp
  readonly replacement: string
}

/** The loops that put every schema into two tables, for users of the SDK who want one by name. */
const NO_TABLES: readonly Edit[] = [
  { find: /^for \(const (?:key of|\[key, schema\] of) .*\) register\(.*\);\n/gm, replacement: '' },
  {
    find: /^(const (?:specTypeSchemas|isSpecType) = )(?=Object\.freeze\()/gm,
    replacement: '$1/* @__PURE__ */ ',
  },
]

const SRC = join(import.meta.dirname, '../src')

/** What the changed code calls. */
const IMPORTS = `import { eachOnFirstUse, onFirstUse } from ${JSON.stringify(join(SRC, 'on-first-use.ts'))};
import { LateAbortController } from ${JSON.stringify(join(SRC, 'transports/late-abort.ts'))};
import { isPlainCall, isPlainCallResult, isPlainRequest, isPlainResult } from ${JSON.stringify(join(SRC, 'transports/plain-message.ts'))};
`

/** How each kind of message shows, before its schema is asked: at once, or only perhaps. */
const KINDS = {
  Request: 'isPlainRequest(value) || value?.id !== void 0',
  Notification: 'value?.id === void 0',
  ResultResponse: 'isPlainResult(value) || value?.result !== void 0',
  ErrorResponse: 'value?.error !== void 0',
}

const QUICK_GUARDS: readonly Edit[] = Object.entries(KINDS).map(([kind, first]) => ({
  find: new RegExp(`^(const isJSONRPC${kind} = \\(value\\) => )(?=\\w+\\.safeParse\\()`, 'm'),
  replacement: `$1${first} && `,
}))

/** What each era checks of requests and of results before it asks a schema. */
const QUICK_CODECS: readonly Edit[] = Object.entries({
  validateRequest: 'isPlainCall',
  validateResult: 'isPlainCallResult',
}).map(([validate, isPlain]) => ({
  find: new RegExp(`^(\\t${validate}: \\(method, raw\\) => )(?=triState)`, 'gm'),
  replacement: `$1${isPlain}(method, raw) ? { ok: true, value: raw } : `,
}))

/** The signal of a request, for a handler that seldom looks at it, and for the SDK, which asks whether it is aborted. */
const LATE_SIGNALS: readonly Edit[] = [
  {
    find: /(?<=const abortController = new )(?=AbortController\(\);\n\t+this\._request)/,
    replacement: 'Late',
  },
  { find: /(?<=if \(abortController\.)signal\.aborted(?=\) return;)/g, replacement: 'isAborted' },
  { find: /signal: (abortController\.signal),/, replacement: 'get signal() { return $1; },' },
]

/** What a handler is handed, which nobody else holds. */
const CONTEXT_IN_PLACE: readonly Edit[] = [
  {
    find: /(mcpReq: )(\{)\n\t+\.\.\.ctx\.mcpReq,(\n\t+log: [\s\S]*?\n\t+\})(?=,\n\t+http: hasHttpInfo)/,
    replacement: '$1Object.assign(ctx.mcpReq, $2$3)',
  },
]

const EDITS: ReadonlyMap<string, readonly Edit[]> = new Map([
  ['src', [...NO_TABLES, ...QUICK_GUARDS, ...QUICK_CODECS, ...LATE_SIGNALS]],
  ['mcp', CONTEXT_IN_PLACE],
])

/**
 * Changes the SDK in ways that show in nothing but time and memory.
 *
 * It makes some 150 schemas when it is loaded, and as many with the first message of each protocol era. Most are for
 * what this server does not do: sampling, elicitation, tasks, OAuth. Here each is made when it is first used, and
 * the two tables that refer to all of them, which this server must not use, are left empty. Schemas that nothing
 * refers to stay out of the bundle.
 *
 * Each message passes guards that ask what kind it is, with a schema each. A schema that refuses a value spends
 * several microseconds on saying why, which nobody reads. So the guards look for the member first without which no
 * message is of the kind, and take a plain request or result without a schema. So do the checks of what `tools/call`
 * is asked and answers.
 *
 * Each request gets a signal for being cancelled. It is made when the handler asks for it, and what the handler is
 * handed is made once, not copied.
 *
 * A bundle made with this must not import a schema from the SDK: it would get a function.
 *
 * @throws Error when the SDK is not written as is expected here
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup({ onLoad }) {
    onLoad({ filter: /@modelcontextprotocol\/(?:core|server)\/dist\/.*\.mjs$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      const edits = EDITS.get(/(\w+)-[\w-]+\.mjs$/.exec(path)?.[1] ?? '') ?? []
      return { contents: `${IMPORTS}${lazySchemas(path, edited(path, code, edits))}` }
    })
  },
}

function edited(path: string, code: string, edits: readonly Edit[]): string {
  for (const { find, replacement } of edits) {
    if (code.search(find) === -1)
      throw new Error(`${path} has nothing like ${find.source}; see scripts/lean-sdk.ts.`)
    code = code.replace(find, replacement)
  }
  return code
}
