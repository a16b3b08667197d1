import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installInto, packBuild } from './npm.ts'
import { isObject, type JsonObject } from './stdio-driver.ts'

/** One step of a chain, before a peer's own field names. */
export interface Step {
  thought: string
  number: number
  total: number
  /** From the first answer of the chain; absent for servers that keep one history for all. */
  sessionId: string | undefined
}

export interface Peer {
  name: string
  tool: string
  /** What npm installs: name@version, a tarball, or nothing for the floor. */
  spec: string | undefined
  entry: string
  toArguments(step: Step): JsonObject
}

/** A peer with the flags of one setting; `label` heads its column. */
export interface Server {
  label: string
  peer: Peer
  flags: readonly string[]
}

export const OURS = 'seqthink-mcp'
export const OURS_BUDGETS_0 = 'seqthink-mcp, budgets 0'
export const OURS_FULL = 'seqthink-mcp, full'
export const REFERENCE = 'reference'
export const TOOLS = 'sequentialthinking-tools'
export const FLOOR = 'floor'

export const BUDGETS_0 = ['--history-budget', '0', '--closing-budget', '0']
export const BUDGET_FULL = ['--history-budget', 'full']

const ours: Peer = {
  name: OURS,
  tool: 'sequential_thinking',
  spec: undefined,
  entry: '',
  toArguments: (step) => ({
    thought: step.thought,
    thoughtNumber: step.number,
    totalThoughts: step.total,
    nextThoughtNeeded: step.number < step.total,
    sessionId: step.sessionId,
  }),
}

const reference: Peer = {
  name: REFERENCE,
  tool: 'sequentialthinking',
  spec: '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
  entry: 'node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js',
  toArguments: (step) => ({
    thought: step.thought,
    thoughtNumber: step.number,
    totalThoughts: step.total,
    nextThoughtNeeded: step.number < step.total,
  }),
}

const sequentialThinkingTools: Peer = {
  name: TOOLS,
  tool: 'sequentialthinking_tools',
  spec: 'mcp-sequentialthinking-tools@0.0.3',
  entry: 'node_modules/mcp-sequentialthinking-tools/dist/index.js',
  toArguments: (step) => ({
    available_mcp_tools: [],
    thought: step.thought,
    thought_number: step.number,
    total_thoughts: step.total,
    next_thought_needed: step.number < step.total,
  }),
}

const floor: Peer = {
  name: FLOOR,
  tool: 'echo',
  spec: undefined,
  entry: fileURLToPath(new URL('echo-server.mjs', import.meta.url)),
  toArguments: reference.toArguments,
}

/** A peer on this machine, or why it is not. */
export interface Installed {
  peer: Peer
  problem?: string
}

/** Installs every peer into a folder of its own below `work`. */
export async function installPeers(work: string, buildDir: string): Promise<Installed[]> {
  const results: Installed[] = []
  for (const peer of [ours, reference, sequentialThinkingTools, floor]) {
    try {
      results.push({ peer: await install(peer, work, buildDir) })
    } catch (error) {
      results.push({ peer, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return results
}

async function install(peer: Peer, work: string, buildDir: string): Promise<Peer> {
  if (peer === floor) return floor
  const folder = join(work, peer.name)
  if (peer !== ours && peer.spec !== undefined) {
    await installInto(folder, peer.spec)
    return { ...peer, entry: join(folder, peer.entry) }
  }
  const tarball = await packBuild(buildDir, work)
  await installInto(folder, tarball)
  const entry = join(folder, 'node_modules', OURS, binOf(join(folder, 'node_modules', OURS)))
  return { ...ours, spec: tarball, entry }
}

function binOf(packageDir: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'))
  const bin = isObject(manifest) ? manifest.bin : undefined
  const path = isObject(bin) ? bin[OURS] : bin
  if (typeof path !== 'string') throw new Error(`package.json of ${OURS} names no bin`)
  return path
}
