import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OnLoadResult, Plugin } from 'esbuild'

interface Edit {
  readonly find: RegExp
  readonly replacement: string
}

/** Of `const` at the top level whose value zod builds, over as many lines as it takes. */
const PURE_SCHEMAS: Edit = {
  find: /^const (\w+) = ((?:z|\w+Schema)\.(?:.|\n(?=[\t)\]}]))*);$/gm,
  replacement: 'const $1 = /* @__PURE__ */ (() => $2)();',
}

/** The loops that put every schema into two tables, for users of the SDK who want one by name. */
const NO_TABLES: readonly Edit[] = [
  { find: /^for \(const (?:key of|\[key, schema\] of) .*\) register\(.*\);\n/gm, replacement: '' },
  {
    find: /^(const (?:specTypeSchemas|isSpecType) = )(?=Object\.freeze\()/gm,
    replacement: '$1/* @__PURE__ */ ',
  },
]

const PLAIN_MESSAGE = join(import.meta.dirname, '../src/transports/plain-message.ts')

/** How each kind of message shows, before its schema is asked: at once, or only perhaps. */
const KINDS = {
  Request: 'isPlainRequest(value) || value?.id !== void 0',
  Notification: 'value?.id === void 0',
  ResultResponse: 'isPlainResult(value) || value?.result !== void 0',
  ErrorResponse: 'value?.error !== void 0',
}

const QUICK_GUARDS: readonly Edit[] = [
  ...Object.entries(KINDS).map(([kind, first]) => ({
    find: new RegExp(`^(const isJSONRPC${kind} = \\(value\\) => )(?=\\w+\\.safeParse\\()`, 'm'),
    replacement: `$1${first} && `,
  })),
  {
    find: /^/,
    replacement: `import { isPlainRequest, isPlainResult } from ${JSON.stringify(PLAIN_MESSAGE)};\n`,
  },
]

/**
 * Changes the SDK in ways that show in nothing but time and memory.
 *
 * Its schemas that nothing here uses stay out of the bundle: sampling, elicitation, tasks, OAuth. They are values
 * made by calls, so esbuild must take each for something that matters, and every start would make about 150 of
 * them in vain. Here each call is said to be pure, and the tables that refer to all of them, which this server
 * must not use, are left empty.
 *
 * Each message passes guards that ask what kind it is, with a schema each. A schema that refuses a value spends
 * several microseconds on saying why, which nobody reads. So the guards look for the member first without which no
 * message is of the kind, and take a plain request or result without a schema.
 *
 * @throws Error when the SDK is not written as is expected here
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup({ onLoad }) {
    onLoad({ filter: /@modelcontextprotocol\/core\/dist\/(?:schemas|auth)-[\w-]+\.mjs$/ }, ({ path }) =>
      edited(path, [PURE_SCHEMAS]),
    )
    onLoad({ filter: /@modelcontextprotocol\/server\/dist\/src-[\w-]+\.mjs$/ }, ({ path }) =>
      edited(path, [...NO_TABLES, ...QUICK_GUARDS]),
    )
  },
}

async function edited(path: string, edits: readonly Edit[]): Promise<OnLoadResult> {
  let contents = await readFile(path, 'utf8')
  for (const { find, replacement } of edits) {
    if (contents.search(find) === -1)
      throw new Error(`${path} has nothing like ${find.source}; see scripts/lean-sdk.ts.`)
    contents = contents.replace(find, replacement)
  }
  return { contents }
}
