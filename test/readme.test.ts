import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { renderTables, TABLES } from '../scripts/readme-tables.ts'
import { PROVIDERS } from '../src/agents/providers.ts'
import { SPECIALISTS } from '../src/agents/specialists.ts'
import { DEFAULT_BUDGETS } from '../src/engine/history.ts'
import { DEFAULT_LIMITS } from '../src/engine/limits.ts'
import { createMemoryStore } from '../src/sessions/memory-store.ts'
import { createSequentialThinkingTool } from '../src/tools/sequential-thinking.ts'

const MAX_LINES = 300
const README = read('README.md')

describe('README.md', () => {
  it('has the tables that the code renders; `npm run readme` writes them', () => {
    const pages = [README, read('docs/reference.md')]
    for (const page of pages) expect(page).toBe(renderTables(page))
    for (const name of Object.keys(TABLES)) expect(pages.join()).toContain(`<!-- ${name}:start -->\n`)
  })

  it('leads to a row for every specialist and every provider, with their times and default models', () => {
    const agents = read('docs/agents.md')
    for (const { name, direction, budgetMs } of SPECIALISTS)
      expect(agents).toContain(`| ${name} | ${direction} | ${budgetMs / 1000} s |`)
    for (const [name, { key, needsKey, enhanced, standard }] of Object.entries(PROVIDERS)) {
      const row = agents.split('\n').find((line) => line.startsWith(`| \`${name}\``))
      expect(row).toContain(needsKey ? `| \`${key}\` |` : '')
      expect(row).toContain(
        enhanced === undefined ? '| to be set | to be set |' : `| \`${enhanced}\` | \`${standard}\` |`,
      )
    }
  })

  it(`is shorter than ${MAX_LINES} lines`, () => {
    expect(README.split('\n').length).toBeLessThan(MAX_LINES)
  })

  it('names only npm scripts that exist', () => {
    const named = [...README.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start))/g)].map(
      (match) => match[1] ?? match[2],
    )
    expect(named).toEqual(expect.arrayContaining(['demo', 'test']))
    expect(named.filter((name) => !Object.keys(manifest.scripts).includes(name ?? ''))).toEqual([])
  })

  it('names only flags that exist', () => {
    const settings =
      renderTables(README).match(/<!-- options:start -->[\s\S]*<!-- options:end -->/)?.[0] ?? ''
    const snippets = README.match(/"--[\w-]+"/g) ?? []
    expect(snippets).not.toEqual([])
    expect(snippets.filter((flag) => !settings.includes(`\`${flag.slice(1, -1)}\``))).toEqual([])
  })

  it('has no JSON snippet that is malformed', () => {
    const snippets = blocks(/^json\b/)
    expect(snippets.length).toBeGreaterThan(0)
    for (const snippet of snippets) expect(() => JSON.parse(snippet), snippet).not.toThrow()
  })

  it('starts the server in every client snippet in a way that exists', () => {
    const serversSchema = z.record(
      z.string().regex(/^\S+$/),
      z.union([
        z.object({ command: z.string(), args: z.array(z.string()) }),
        z.object({ type: z.literal('http'), url: z.url(), headers: z.record(z.string(), z.string()) }),
      ]),
    )
    const snippetSchema = z.object({
      mcpServers: serversSchema.optional(),
      servers: serversSchema.optional(),
    })
    const servers = blocks(/^json$/).flatMap((snippet) => {
      const { mcpServers = {}, servers = {} } = snippetSchema.parse(JSON.parse(snippet))
      return Object.values({ ...mcpServers, ...servers })
    })
    const commands = servers.map((server) =>
      'command' in server ? [server.command, ...server.args].join(' ') : server.url,
    )
    const known = [
      `npx -y ${manifest.name}`,
      `cmd /c npx -y ${manifest.name}`,
      `node /path/to/${manifest.name}/${manifest.bin['seqthink-mcp']}`,
      'https://think.example.com/mcp',
    ]
    expect(new Set(commands)).toEqual(new Set(known))
  })
})

describe("README.md's first call", () => {
  it('has the result that the text shows', async () => {
    const options = { limits: DEFAULT_LIMITS, budgets: DEFAULT_BUDGETS, maxSessions: 1 }
    const caller = { owner: 'reader', maySeeList: true, openChains: undefined }
    const context = { sessions: createMemoryStore(options), caller }
    const [call = '', shown = ''] = blocks(/^json (?:call|result)$/)
    const { result } = await createSequentialThinkingTool(options).handle(JSON.parse(call), context)
    expect({ ...JSON.parse(shown), sessionId: result.sessionId }).toEqual(result)
  })
})

/** The fenced blocks whose info string matches. */
function blocks(info: RegExp): string[] {
  const pages = [README, read('docs/network.md'), read('docs/agents.md')].join('\n')
  return [...pages.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, name = '', text = '']) =>
    info.test(name) ? [text] : [],
  )
}

function read(page: string): string {
  return readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
}
