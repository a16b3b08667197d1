import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { CLI, ServerProcess } from './server-process.ts'

const MAX_VIEW_BYTES = 80 * 1024
const DIST = dirname(CLI)

describe('the built view', () => {
  const copy = mkdtempSync(join(tmpdir(), 'seqthink-view-'))
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  test('is one file of at most 80 KB', () => {
    expect(statSync(join(DIST, 'view.html')).size).toBeLessThanOrEqual(MAX_VIEW_BYTES)
  })

  test('is read by the server only when it is asked for', async () => {
    cpSync(DIST, copy, { recursive: true })
    rmSync(join(copy, 'view.html'))
    const server = new ServerProcess({ cli: join(copy, 'cli.js') })
    await server.initialize()
    expect((await server.request('tools/list')).result).toBeDefined()
    const { error } = await server.request('resources/read', { uri: 'ui://seqthink/chain' })
    expect(error).toBeDefined()
    expect(JSON.stringify(error)).not.toContain(copy)
  })
})
