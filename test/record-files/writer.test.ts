import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/engine/limits.ts'
import { ThoughtChain } from '../../src/engine/thought-chain.ts'
import { makeFolder } from '../../src/record-files/make-folder.ts'
import { replay } from '../../src/record-files/reader.ts'
import { toRecordedCall } from '../../src/record-files/recorded-call.ts'
import { createSessionFiles } from '../../src/record-files/writer.ts'
import { step } from '../helpers.ts'

const [ID_A, ID_B, ID_C] = [randomUUID(), randomUUID(), randomUUID()]

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seqthink-writer-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

function createWriter() {
  const recordDir = join(root, 'deep', 'records')
  const logged: object[] = []
  const log = (fields: object) => logged.push(fields)
  const logger = {
    debug: log,
    info: log,
    warn: log,
    error: log,
    fatal: log,
    isEnabled: () => true,
    flush: async () => {},
  }
  const files = createSessionFiles({
    recordDir,
    recordBudget: 100,
    maxSessions: 10,
    version: '1.2.3',
    logger,
  })
  return { files, recordDir, logged }
}

/** A session as the tool opens and continues it. */
function open(files: ReturnType<typeof createWriter>['files'], sessionId: string) {
  const input = step(1)
  const { chain, outcome } = ThoughtChain.open(input, DEFAULT_LIMITS)
  const notice = files.start({ sessionId, limits: DEFAULT_LIMITS }, toRecordedCall(chain, input, outcome))
  const goOn = () => {
    const next = step(chain.main.next)
    return files.append(sessionId, toRecordedCall(chain, next, chain.record(next)))
  }
  return { notice, goOn }
}

describe('the files of sessions', () => {
  test('appear with the first session, for their owner alone', () => {
    const { files, recordDir } = createWriter()
    expect(existsSync(recordDir)).toBe(false)
    open(files, ID_A)
    expect(statSync(recordDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(recordDir, `${ID_A}.jsonl`)).mode & 0o777).toBe(0o600)
  })

  test('hold a line for the session and one for each call', () => {
    const { files, recordDir, logged } = createWriter()
    const session = open(files, ID_A)
    expect([session.notice, session.goOn(), session.goOn()]).toEqual([undefined, undefined, undefined])
    const text = readFileSync(join(recordDir, `${ID_A}.jsonl`), 'utf8')
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).type),
    ).toEqual(['session', 'call', 'call', 'call'])
    expect(replay(text)).toMatchObject({ sessionId: ID_A, problem: undefined })
    expect(logged).toEqual([])
  })

  test('never follow a link and never write over a file', () => {
    const { files, recordDir } = createWriter()
    open(files, ID_A)
    const target = join(root, 'target')
    symlinkSync(target, join(recordDir, `${ID_B}.jsonl`))
    writeFileSync(join(recordDir, `${ID_C}.jsonl`), 'mine')
    open(files, ID_B)
    open(files, ID_C).goOn()
    expect(existsSync(target)).toBe(false)
    expect(readFileSync(join(recordDir, `${ID_C}.jsonl`), 'utf8')).toBe('mine')
  })

  test('that get lost are told once, to the log and to the caller, and left alone from then on', () => {
    const { files, recordDir, logged } = createWriter()
    const [a, b] = [open(files, ID_A), open(files, ID_B)]
    rmSync(recordDir, { recursive: true })
    expect(a.goOn()).toMatch(/could not write this chain to its record folder/)
    expect([a.goOn(), b.goOn(), b.goOn()]).toEqual([undefined, undefined, undefined])
    expect(logged).toEqual([expect.objectContaining({ code: 'ENOENT', recordDir })])
    expect(existsSync(recordDir)).toBe(false)
  })

  test('of new sessions are written again when that works again', () => {
    const { files, recordDir } = createWriter()
    const lost = open(files, ID_A)
    rmSync(recordDir, { recursive: true })
    lost.goOn()
    open(files, ID_B).goOn()
    lost.goOn()
    expect(readdirSync(recordDir)).toEqual([`${ID_B}.jsonl`])
    expect(replay(readFileSync(join(recordDir, `${ID_B}.jsonl`), 'utf8')).chain.steps).toBe(2)
  })

  // Below /proc the system refuses a folder as if the one above it were missing.
  test.skipIf(!existsSync('/proc/self'))('are not waited for where the system makes no folder', () => {
    expect(() => makeFolder('/proc/none/deep')).toThrow('ENOENT')
    expect(existsSync('/proc/none')).toBe(false)
  })

  test('in a place where nothing can be written fail no call', () => {
    writeFileSync(join(root, 'deep'), 'a file')
    const { files, logged } = createWriter()
    const session = open(files, ID_A)
    expect(session.notice).toMatch(/the chain itself is complete/)
    expect(session.goOn()).toBeUndefined()
    expect(logged).toHaveLength(1)
    expect(JSON.stringify(logged)).not.toContain('Idea')
  })
})
