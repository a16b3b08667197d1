import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('npm run demo', () => {
  let output = ''

  beforeAll(async () => {
    const demo = ['--import', 'tsx', 'scripts/demo.ts']
    output = (await promisify(execFile)(process.execPath, demo, { cwd: ROOT })).stdout
  })

  it('fits into 80 columns', () => {
    expect(output.split('\n').filter((line) => [...line].length > 80)).toEqual([])
  })

  it('writes plain text where the output is no terminal', () => {
    expect(output).toBe(stripVTControlCharacters(output))
  })

  it('shows the revised thought and the branch in the final chain', () => {
    const chain = output.slice(output.indexOf('The chain:'))
    expect(chain).toMatch(/● 2 {2}revision 1\n/)
    expect(chain).toMatch(/├─╮ branch cache\n│ ● 3 /)
    expect(chain).not.toContain('likely cause is a missing index')
  })
})
