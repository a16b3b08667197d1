import type { Place } from './load.ts'
import type { Recorder, Unit } from './measurement.ts'
import type { Installed, Server } from './peers.ts'

/** What every figure needs: the servers to measure, where to run them, how often, and where results go. */
export interface Bench {
  peers: readonly Installed[]
  place: Place
  /** A second, newer Node whose compile cache the start figures use. */
  newerNode: string | undefined
  /** A temporary folder that the run removes at its end. */
  work: string
  /** Rounds of a figure that has `usual` of them in a full run. */
  rounds(usual: number): number
  /** Calls of a figure that makes `usual` of them in a full run. */
  calls(usual: number): number
  recorder: Recorder
  log(text: string): void
}

export interface Section {
  title: string
  figures: readonly Figure[]
}

export interface Figure {
  name: string
  unit: Unit
}

/** Setting of a figure: which peer, with which flags, under which column. */
export type Variant = Omit<Server, 'peer'> & { of: string }

export function plain(names: readonly string[]): Variant[] {
  return names.map((name) => ({ label: name, of: name, flags: [] }))
}

/**
 * Measures A B C, A B C, … and not A A A, B B B, so that what the machine does meanwhile falls on all alike.
 * A server that fails is reported in every row of the section and left out of its later rounds.
 */
export async function interleave(
  bench: Bench,
  section: Section,
  rounds: number,
  variants: readonly Variant[],
  measure: (server: Server, round: number) => Promise<ReadonlyArray<readonly [Figure, number]>>,
): Promise<void> {
  const failed = new Set<string>()
  const fail = (label: string, problem: string): void => {
    failed.add(label)
    for (const { name, unit } of section.figures) {
      bench.recorder.fail({ section: section.title, figure: name, unit, server: label }, problem)
    }
    bench.log(`${section.title}: ${label} failed: ${problem}`)
  }
  for (const { name, unit } of section.figures) {
    for (const { label } of variants) {
      bench.recorder.declare({ section: section.title, figure: name, unit, server: label })
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { of, label, flags } of variants) {
      const installed = bench.peers.find(({ peer }) => peer.name === of)
      if (installed === undefined || failed.has(label)) continue
      if (installed.problem !== undefined) {
        fail(label, installed.problem)
        continue
      }
      bench.log(`${section.title}, round ${round} of ${rounds}: ${label}`)
      try {
        for (const [{ name, unit }, value] of await measure({ peer: installed.peer, label, flags }, round)) {
          bench.recorder.add({ section: section.title, figure: name, unit, server: label }, value)
        }
      } catch (error) {
        fail(label, error instanceof Error ? error.message : String(error))
      }
    }
  }
}
