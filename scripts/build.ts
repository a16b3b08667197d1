import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import * as z from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { chainSnapshotSchema } from '../src/documents/chain-snapshot.ts'
import { buildView } from './build-view.ts'
import { leanSdk } from './lean-sdk.ts'

const packageJsonSchema = z.object({ name: z.string(), version: z.string(), license: z.string().optional() })

interface BundledPackage {
  name: string
  version: string
  license: string
  text: string
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const OUT_DIR = join(ROOT, 'dist')
const CHAIN_SCHEMA_FILE = join(OUT_DIR, 'chain.schema.json')
/** Read by src/documents/view-page.ts, from a chunk. */
const VIEW_FILE = join(OUT_DIR, 'view.html')
const LICENSES_FILE = join(OUT_DIR, 'THIRD-PARTY-LICENSES.txt')
const ENTRY_POINTS = { cli: 'src/cli.ts' }

/**
 * Built on its own and loaded by the first call that needs it: what it shares with the rest (all of zod, above
 * all) would otherwise be split off into a file that every start reads.
 */
const PROVIDER_ENTRY_POINTS = { 'ai-sdk-provider': 'src/agents/ai-sdk-provider.ts' }
const EXECUTABLES = ['cli.js']

/**
 * Licence texts of packages that publish none in their folder, by package name.
 * An entry holds the SPDX text of the licence that the package's own package.json names.
 */
const MISSING_LICENSE_TEXTS: Record<string, string> = {
  // The text of the packages beside it in its repository.
  '@ai-sdk/provider-utils': `Copyright 2023 Vercel, Inc.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.`,
}

// pino and commander are CommonJS: they call require() for Node's own modules, which an ES module lacks.
const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);"

const SDK = '@modelcontextprotocol/server'

// esbuild puts a whole file into the chunk that all its importers share, and the SDK's index.mjs holds both what
// every server needs from elsewhere and its HTTP transports. A second name for the file gives those a chunk of
// their own, which a start on stdio does not load. Nothing is there twice: stdio uses only re-exports of the file.
const httpApart: Plugin = {
  name: 'http-apart',
  setup({ onResolve, resolve }) {
    onResolve(
      { filter: new RegExp(`^${SDK}$`) },
      async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData === httpApart || !importer.includes(join('src', 'transports', 'http')))
          return undefined
        const resolved = await resolve(path, { kind, importer, resolveDir, pluginData: httpApart })
        return { ...resolved, suffix: '?http' }
      },
    )
  },
}

const providerApart: Plugin = {
  name: 'provider-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/ai-sdk-provider\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './ai-sdk-provider.js', external: true } : undefined,
    )
  },
}

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  sourcemap: false,
  metafile: true,
  banner: { js: REQUIRE_BANNER },
  logLevel: 'warning',
} as const satisfies BuildOptions

await rm(OUT_DIR, { recursive: true, force: true })
const builds = await Promise.all([
  build({
    ...OPTIONS,
    entryPoints: ENTRY_POINTS,
    outdir: OUT_DIR,
    chunkNames: 'chunks/[name]-[hash]',
    // See src/sdk-shims.ts.
    alias: { [`${SDK}/_shims`]: './src/sdk-shims.ts' },
    define: { __SEQTHINK_VERSION__: JSON.stringify(manifest.version) },
    plugins: [httpApart, providerApart, leanSdk],
  }),
  build({
    ...OPTIONS,
    entryPoints: PROVIDER_ENTRY_POINTS,
    outdir: join(OUT_DIR, 'chunks'),
    chunkNames: '[name]-[hash]',
  }),
])
await Promise.all(EXECUTABLES.map((file) => chmod(join(OUT_DIR, file), 0o755)))
await writeFile(CHAIN_SCHEMA_FILE, `${JSON.stringify(z.toJSONSchema(chainSnapshotSchema), undefined, 2)}\n`)
const view = await buildView(ROOT)
await writeFile(VIEW_FILE, view.html)
await writeFile(
  LICENSES_FILE,
  renderLicenses(
    await bundledPackages([
      ...builds.flatMap(({ metafile }) => bundledFiles(metafile)),
      ...view.packageFiles,
    ]),
  ),
)

/** The files of packages that a bundle contains code of. */
function bundledFiles({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 && file.includes('node_modules/') ? [file.replace(/\?http$/, '')] : [],
    ),
  )
}

async function bundledPackages(files: readonly string[]): Promise<BundledPackage[]> {
  const packages = new Map<string, BundledPackage>()
  for (const file of new Set(files)) {
    const found = await readPackage(packageFolder(file))
    packages.set(`${found.name}@${found.version}`, found)
    for (const { name, version } of await vendoredIn(file)) {
      const vendored = await readPackage(`node_modules/${name}`)
      packages.set(`${name}@${version}`, { ...vendored, version })
    }
  }
  return [...packages.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bundled]) => bundled)
}

function packageFolder(file: string): string {
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
  if (folder === undefined) throw new Error(`${file} belongs to no npm package`)
  return folder
}

/** Packages that a published file carries inside itself, as its bundler's region comments name them. */
async function vendoredIn(file: string): Promise<{ name: string; version: string }[]> {
  const source = await readFile(join(ROOT, file), 'utf8')
  const regions = source.matchAll(
    /^\/\/#region .*node_modules\/\.pnpm\/[^/\n]+?@(\d[^/_(\n]*)[^/\n]*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm,
  )
  return [...regions].map(([, version = '', name = '']) => ({ name, version }))
}

async function readPackage(folder: string): Promise<BundledPackage> {
  const { name, version, license } = packageJsonSchema.parse(
    JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8')),
  )
  const files = (await readdir(join(ROOT, folder))).filter((file) => /^(licen[cs]e|copying)/i.test(file))
  const texts = await Promise.all(files.sort().map((file) => readFile(join(ROOT, folder, file), 'utf8')))
  const text = texts.join('\n\n').trim() || MISSING_LICENSE_TEXTS[name]
  if (text === undefined || license === undefined) {
    throw new Error(
      `${name} ${version} is part of the bundle, but ${folder} has no licence text or no licence id. ` +
        'Add an entry to MISSING_LICENSE_TEXTS in scripts/build.ts, or do without the package.',
    )
  }
  return { name, version, license, text: text.replaceAll('\r\n', '\n') }
}

function renderLicenses(packages: BundledPackage[]): string {
  const rule = '-'.repeat(80)
  const sections = packages.map(
    ({ name, version, license, text }) => `${rule}\n${name} ${version} (${license})\n${rule}\n\n${text}\n`,
  )
  const intro = `${manifest.name} ${manifest.version} contains code of the packages below, under their own licences.\n`
  return [intro, ...sections].join('\n')
}
