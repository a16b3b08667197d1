import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, type Figure, interleave, plain } from '../bench.ts'
import { installCost, installInto } from '../npm.ts'
import { OURS, REFERENCE, TOOLS } from '../peers.ts'

export const INSTALL_TITLE = 'npm install'

export const packages: Figure = { name: 'packages', unit: 'packages' }
const onDisk: Figure = { name: 'on disk', unit: 'MB' }
const duration: Figure = { name: 'time, warm cache', unit: 'ms' }

export async function measureInstall(bench: Bench): Promise<void> {
  const section = { title: INSTALL_TITLE, figures: [packages, onDisk, duration] }
  // The cache is warm: every peer has been installed once before anything is measured.
  await interleave(bench, section, bench.rounds(3), plain([OURS, REFERENCE, TOOLS]), async ({ peer }) => {
    if (peer.spec === undefined) return []
    const folder = mkdtempSync(join(bench.work, 'install-'))
    const startedAt = performance.now()
    await installInto(folder, peer.spec)
    const elapsed = performance.now() - startedAt
    const cost = installCost(folder)
    await rm(folder, { recursive: true })
    return [
      [packages, cost.packages],
      [onDisk, cost.bytes / 1_000_000],
      [duration, elapsed],
    ]
  })
}
