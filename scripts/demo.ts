import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import * as z from 'zod'
import { drawChain, drawStep, heading } from './demo/drawing.ts'
import { PROBLEM, STEPS, type Step } from './demo/slow-page.ts'

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

const thoughtSchema = z.object({
  thoughtNumber: z.number(),
  totalThoughts: z.number(),
  thought: z.string(),
  revisionNumber: z.number(),
  branchId: z.string().optional(),
})

const resultSchema = z.object({
  sessionId: z.uuid(),
  thoughtNumber: z.number(),
  totalThoughts: z.number(),
  nextThoughtNeeded: z.boolean(),
  revisionNumber: z.number(),
  branchId: z.string().optional(),
  branches: z.array(z.object({ branchId: z.string(), branchFromThought: z.number() })),
  thoughtHistoryLength: z.number(),
  thinkingHistory: z.array(thoughtSchema).optional(),
  notices: z.array(z.string()).optional(),
})

const transport = new StdioClientTransport({ command: process.execPath, args: [CLI], stderr: 'pipe' })
let stderr = ''
transport.stderr?.on('data', (chunk) => {
  stderr += chunk
})
const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(transport)
const { name, version } = z.object({ name: z.string(), version: z.string() }).parse(client.getServerVersion())
print(heading(`${name} ${version} over stdio, MCP ${client.getNegotiatedProtocolVersion()}`), '', PROBLEM, '')

let sessionId: string | undefined
let closing: z.infer<typeof resultSchema> | undefined
for (const step of STEPS) {
  const result = await think(step, sessionId)
  sessionId = result.sessionId
  closing = result
  print(drawStep({ ...result, thought: step.thought }, result.notices ?? []), '')
}

const chain = closing?.thinkingHistory ?? []
deepStrictEqual(
  chain.map(toPlace),
  lastVersions(STEPS).map(toPlace),
  'the closing result holds the whole chain',
)
strictEqual(closing?.thoughtHistoryLength, chain.length)
print(heading(`The chain: ${chain.length} thoughts in ${STEPS.length} calls`), '')
print(drawChain(chain, closing?.branches ?? []), '')

await client.close()
strictEqual(stderr, '', 'the server is silent on stderr')

/** Sends one step and sees that the server has recorded just that. */
async function think(step: Step, sessionId: string | undefined): Promise<z.infer<typeof resultSchema>> {
  const { content, structuredContent, isError } = await client.callTool({
    name: 'sequential_thinking',
    arguments: { ...step, ...(sessionId !== undefined && { sessionId }) },
  })
  strictEqual(
    isError ?? false,
    false,
    `thought ${step.thoughtNumber} was refused: ${JSON.stringify(content)}`,
  )
  deepStrictEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }])
  const result = resultSchema.parse(structuredContent)
  const { thoughtNumber, totalThoughts, nextThoughtNeeded, branchId, revisionNumber = 0 } = step
  deepStrictEqual(
    [result.sessionId, result.thoughtNumber, result.totalThoughts, result.nextThoughtNeeded],
    [sessionId ?? result.sessionId, thoughtNumber, totalThoughts, nextThoughtNeeded],
  )
  deepStrictEqual([result.branchId, result.revisionNumber], [branchId, revisionNumber])
  return result
}

/** What the chain must hold in the end: the main line, then the branch, each thought with its newest text. */
function lastVersions(steps: readonly Step[]): Step[] {
  const newest = new Map(steps.map((step) => [`${step.branchId ?? ''} ${step.thoughtNumber}`, step]))
  return [...newest.values()].sort(
    (a, b) => Number(a.branchId !== undefined) - Number(b.branchId !== undefined),
  )
}

function toPlace({
  thoughtNumber,
  branchId,
  revisionNumber = 0,
  thought,
}: Step | z.infer<typeof thoughtSchema>) {
  return { thoughtNumber, branchId, revisionNumber, thought }
}

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
