import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chainSnapshotSchema } from '../../src/documents/chain-snapshot.ts'
import { replay } from '../../src/record-files/reader.ts'
import { CLI, RecordServer } from '../record-files/record-server.ts'
import { ServerProcess } from './server-process.ts'

const KILLS = 50
const AT_ONCE = 5
const CALLS = 150
const MANY_CHARS = 2000
const TIMEOUT_MS = 600_000

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'seqthink-record-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function read(folder: string, sessionId: string): string {
  return readFileSync(join(folder, `${sessionId}.jsonl`), 'utf8')
}

describe('a server with --record-dir', () => {
  test(
    'that is killed under load has written all that it answered, but for a torn last line',
    async () => {
      const folder = createFolder()
      const kill = async (round: number) => {
        const server = new RecordServer(folder)
        onTestFinished(() => server.kill())
        const sessionId = await server.open('The question')
        for (let number = 2; number <= CALLS; number++) {
          server.send(number, { sessionId, thought: `${number} ${'x'.repeat(MANY_CHARS - 4)}` })
        }
        // Each round is killed at another point of its work.
        await server.answered(1 + 2 * round)
        await server.kill()
        const { chain, problem } = replay(read(folder, sessionId))
        expect(chain.steps).toBeGreaterThanOrEqual(server.answers.length)
        expect(problem ?? '').toMatch(/^$|^The last line, \d+, is torn/)
      }
      for (let round = 0; round < KILLS; round += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => kill(round + i)))
      }
      expect(readdirSync(folder)).toHaveLength(KILLS)
    },
    TIMEOUT_MS,
  )

  test('tells of a full disk once and goes on', async () => {
    const folder = createFolder()
    const server = new RecordServer(folder, { fileLimitKb: 16 })
    onTestFinished(() => server.kill())
    const sessionId = await server.open('The question')
    for (let number = 2; number <= 20; number++) {
      server.send(number, { sessionId, thought: `${number} ${'x'.repeat(MANY_CHARS - 4)}` })
    }
    await server.answered(20)
    await server.end()
    expect(server.answers.filter(({ result }) => result.isError)).toEqual([])
    const notices = server.answers.flatMap(({ result }) => result.structuredContent?.notices ?? [])
    expect(notices.filter((notice) => notice.includes('record folder'))).toHaveLength(1)
    const logged = server.stderr.trim().split('\n')
    expect(logged).toHaveLength(1)
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ code: 'EFBIG', recordDir: folder })
    expect(statSync(join(folder, `${sessionId}.jsonl`)).size).toBe(16 * 1024)
    expect(replay(read(folder, sessionId))).toMatchObject({ problem: expect.stringMatching(/is torn/) })
  })

  test('writes calls that were sent at once in their order', async () => {
    const folder = createFolder()
    const server = new RecordServer(folder)
    onTestFinished(() => server.kill())
    const sessionId = await server.open('The question')
    for (let number = 2; number <= 40; number++) server.send(number, { sessionId, thought: `Idea ${number}` })
    await server.end()
    expect(server.answers).toHaveLength(40)
    expect(replay(read(folder, sessionId))).toMatchObject({ problem: undefined, chain: { steps: 40 } })
  })
})

describe('the commands for the terminal', () => {
  let folder = ''
  const ids: string[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'seqthink-record-'))
    for (const thought of ['Why does the page take 4 seconds?', '为什么页面需要四秒钟？']) {
      const server = new RecordServer(folder)
      const sessionId = await server.open(thought)
      server.send(2, { sessionId, thought: 'Old' })
      server.send(2, { sessionId, thought: 'New', revisionNumber: 1 })
      server.send(3, { sessionId, thought: 'Aside', branchFromThought: 2, branchId: 'aside' })
      await server.end()
      ids.push(sessionId)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function run(...args: string[]) {
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [CLI, ...args], (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    })
  }

  test('list the sessions of a folder, the last used first, as plain rows where the output is no terminal', async () => {
    const { code, stdout, stderr } = await run('list', folder)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(rows).toEqual([
      ['ID', 'LAST CALL', 'STEPS', 'REV', 'BR', 'TITLE'],
      [ids[1], expect.stringMatching(/^2\d{3}-.*Z$/), '3', '1', '1', '为什么页面需要四秒钟？'],
      [ids[0], expect.stringMatching(/^2\d{3}-.*Z$/), '3', '1', '1', 'Why does the page take 4 seconds?'],
    ])
    expect([code, stderr]).toEqual([0, ''])
  })

  test('export a session as Markdown, which is the default, as a flowchart and as JSON', async () => {
    const file = join(folder, `${ids[0]}.jsonl`)
    expect((await run('export', file)).stdout).toMatch(
      /^# Why does the page take 4 seconds\?\n[\s\S]*> Old\n/,
    )
    expect((await run('export', file, '--format', 'mermaid')).stdout).toMatch(/^flowchart TD\n/)
    const json = JSON.parse((await run('export', '--format', 'json', file)).stdout)
    expect(chainSnapshotSchema.parse(json)).toMatchObject({ sessionId: ids[0], steps: 3, revisions: 1 })
  })

  test('export a session as one page that loads nothing, whatever a thought contains', async () => {
    const hostile = mkdtempSync(join(tmpdir(), 'seqthink-hostile-'))
    onTestFinished(() => rmSync(hostile, { recursive: true, force: true }))
    const server = new ServerProcess({ args: ['--record-dir', hostile] })
    const thought = '</script><script>alert(1)</script> $& <!-- "'
    const { sessionId } = (await server.think(1, { thought })).result
    await server.end()
    const { stdout } = await run('export', join(hostile, `${sessionId}.jsonl`), '--format', 'html')
    const embedded = /<script type="application\/json" id="chain">(.*?)<\/script>/.exec(stdout)?.[1] ?? ''
    expect(chainSnapshotSchema.parse(JSON.parse(embedded)).main.thoughts[0]?.thought).toBe(thought)
    expect(stdout).not.toContain('<script>alert(1)')
    expect(stdout).toContain("default-src 'none'")
    expect(stdout).not.toMatch(/(?:src|href)="?https?:/)
  })

  test('export all sessions of a folder into another, for their owner alone', async () => {
    const output = join(createFolder(), 'documents')
    const { code, stdout, stderr } = await run('export', folder, '--format', 'mermaid', '--output', output)
    expect([code, stdout, stderr]).toEqual([0, '', ''])
    expect(readdirSync(output).sort()).toEqual(ids.map((id) => `${id}.mmd`).sort())
    expect(statSync(join(output, `${ids[0]}.mmd`)).mode & 0o777).toBe(0o600)
  })

  test('export a session that several files hold once for each of them, and leave out what is no file', async () => {
    const mixed = createFolder()
    const bytes = readFileSync(join(folder, `${ids[0]}.jsonl`))
    writeFileSync(join(mixed, 'a.jsonl'), bytes)
    writeFileSync(join(mixed, 'b.jsonl'), bytes)
    execFileSync('mkfifo', [join(mixed, 'pipe.jsonl')])
    const output = join(mixed, 'documents')
    const { code, stderr } = await run('export', mixed, '--output', output)
    expect(readdirSync(output).sort()).toEqual([`${ids[0]}-2.md`, `${ids[0]}.md`])
    expect([code, stderr]).toEqual([
      0,
      `seqthink-mcp: pipe.jsonl is left out: it is no file.\nseqthink-mcp: Another file holds session ${ids[0]} too; this one becomes ${ids[0]}-2.md.\n`,
    ])
  })

  test.skipIf(!existsSync('/dev/full')).each(['list', 'export'])(
    '%s says that its output was lost',
    (command) => {
      const full = openSync('/dev/full', 'w')
      onTestFinished(() => closeSync(full))
      const source = command === 'list' ? folder : join(folder, `${ids[0]}.jsonl`)
      const { status, stderr } = spawnSync(process.execPath, [CLI, command, source], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      expect(status).toBe(1)
      expect(stderr).toMatch(/^seqthink-mcp: the output cannot be written: ENOSPC.*\.\n$/)
    },
  )

  test('ask where to write when a folder has several sessions', async () => {
    const { code, stdout, stderr } = await run('export', folder)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/holds 2 sessions; say with --output/)
  })

  test('say of a torn file what is left out, and export the rest', async () => {
    const torn = createFolder()
    const file = join(torn, `${ids[0]}.jsonl`)
    const bytes = readFileSync(join(folder, `${ids[0]}.jsonl`))
    writeFileSync(file, bytes.subarray(0, -9))
    const { code, stdout, stderr } = await run('export', file)
    expect(code).toBe(0)
    expect(stderr).toBe(
      `seqthink-mcp: ${ids[0]}.jsonl: The last line, 5, is torn; the call in it is left out.\n`,
    )
    expect(stdout).toContain('2 steps, 1 revision, 0 branches')
    expect((await run('list', torn)).stdout).toContain('\t! Why does')
  })

  test.each(['list', 'export'])('%s says that there is no such file', async (command) => {
    const { code, stdout, stderr } = await run(command, join(folder, 'none'))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^seqthink-mcp: .*none cannot be read: ENOENT.*\.\n$/)
  })

  test('list leaves out what is no record, and says so without steering the terminal', async () => {
    const mixed = createFolder()
    writeFileSync(join(mixed, 'x\u001b[31m.jsonl'), 'no record')
    const { code, stdout, stderr } = await run('list', mixed)
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe(
      `seqthink-mcp: x\ufffd[31m.jsonl is left out: it is no record of a session that this version can read.\nseqthink-mcp: ${mixed} holds no sessions.\n`,
    )
  })

  test('export says which formats there are', async () => {
    const { code, stderr } = await run('export', folder, '--format', 'pdf')
    expect(code).toBe(2)
    expect(stderr).toContain('Allowed choices are markdown, mermaid, json')
  })
})
