import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { CLI, ServerProcess } from './server-process.ts'

const exec = promisify(execFile)
const ROOT = dirname(dirname(CLI))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seqthink-pack-'))
  // Without scripts: `prepare` would rebuild dist under the other tests.
  const { stdout } = await exec('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    shell: process.platform === 'win32',
  })
  const [{ filename }] = JSON.parse(stdout)
  await exec('tar', ['-xzf', filename], { cwd: folder })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the tarball holds the bundle, its licences and what describes the package', async () => {
  const names = await readdir(join(folder, 'package'))
  expect(names.filter((name) => name !== 'README.md').sort()).toEqual(['LICENSE', 'dist', 'package.json'])
  const files = await readdir(join(folder, 'package', 'dist'), { recursive: true })
  expect(files).toContain('cli.js')
  expect(
    files.filter((name) => !/\.js$|LICENSES|^chain\.schema\.json$|^view\.html$|^chunks$/.test(name)),
  ).toEqual([])
})

test('the package asks for nothing to be installed', async () => {
  const packed = JSON.parse(await readFile(join(folder, 'package', 'package.json'), 'utf8'))
  expect(packed).not.toHaveProperty('dependencies')
  expect(packed.version).toBe(manifest.version)
  expect(Object.values(packed.bin)).toEqual(['dist/cli.js', 'dist/cli.js'])
})

test('the unpacked tarball runs without an install', async () => {
  const server = new ServerProcess({
    cli: join(folder, 'package', 'dist', 'cli.js'),
    args: ['--log-level', 'info'],
  })
  await server.initialize()
  expect((await server.think(1)).result.thoughtNumber).toBe(1)
  expect(await server.end()).toEqual({ code: 0, signal: null })
  expect(server.stderr).toContain('"number":1')
})
