import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** Tools that need a newer Node than the product does get one of their own. */
const NODE = 'node@24'

export const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'

/** Runs a command of an npm package. */
export function npx(spec: string, command: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn('npx', ['-y', '-p', NODE, '-p', spec, ...command], options)
}
