import { execFile } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isObject } from './stdio-driver.ts'

const run = promisify(execFile)
const INSTALL_TIMEOUT_MS = 300_000

/** Packs what would be published. Building is the caller's: what is measured is what stands in dist. */
export async function packBuild(buildDir: string, destination: string): Promise<string> {
  if (!existsSync(join(buildDir, 'dist', 'cli.js'))) {
    throw new Error('dist/cli.js does not exist: run npm run build first')
  }
  await npm(['pack', buildDir, '--ignore-scripts', '--pack-destination', destination], destination)
  const tarball = readdirSync(destination).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack wrote no tarball')
  return join(destination, tarball)
}

export async function installInto(folder: string, spec: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  await npm(['install', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund', spec], folder)
}

export interface InstallCost {
  packages: number
  bytes: number
}

export function installCost(folder: string): InstallCost {
  const modules = join(folder, 'node_modules')
  const lock: unknown = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  const packages = isObject(lock) && isObject(lock.packages) ? Object.keys(lock.packages).length : 0
  return { packages, bytes: bytesBelow(modules) }
}

function bytesBelow(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += lstatSync(join(entry.parentPath, entry.name)).size
  }
  return bytes
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  const windows = process.platform === 'win32'
  try {
    await run(windows ? 'npm.cmd' : 'npm', args, { cwd, timeout: INSTALL_TIMEOUT_MS, shell: windows })
  } catch (error) {
    const stderr = isObject(error) && typeof error.stderr === 'string' ? error.stderr : String(error)
    const line = stderr.split('\n').find((text) => /error/i.test(text) && !/error code/.test(text))
    throw new Error(`npm ${args[0]} failed: ${line ?? stderr.slice(0, 200)}`)
  }
}
