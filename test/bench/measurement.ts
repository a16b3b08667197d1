export type Unit = 'ms' | 'µs' | 'MB' | 'bytes' | 'calls/s' | 'packages'

/** One cell of a table: what one server showed for one figure. */
export interface Measurement {
  section: string
  figure: string
  server: string
  unit: Unit
  /** Every repeat, in the order of measuring. Empty when there is nothing but a problem. */
  samples: number[]
  /** Why there is no value, in the words that the table's footnote shows. */
  problem?: string
}

/** Collects repeats under the cell that they belong to, so that interleaved rounds can report as they go. */
export interface Recorder {
  /** Gives a cell its place in the table before it has a value. */
  declare(cell: Cell): void
  add(cell: Cell, sample: number): void
  fail(cell: Cell, problem: string): void
  all(): Measurement[]
}

export type Cell = Omit<Measurement, 'samples' | 'problem'>

export function createRecorder(): Recorder {
  const cells = new Map<string, Measurement>()
  const entry = (cell: Cell): Measurement => {
    const key = `${cell.section}\n${cell.figure}\n${cell.server}`
    const known = cells.get(key) ?? { ...cell, samples: [] }
    cells.set(key, known)
    return known
  }
  return {
    declare: (cell) => void entry(cell),
    add(cell, sample) {
      entry(cell).samples.push(sample)
    },
    fail(cell, problem) {
      entry(cell).problem = problem
    },
    all: () => [...cells.values()],
  }
}

/** The value of a cell: the median of its repeats, or nothing when it failed. */
export function medianOf(measurement: Measurement | undefined): number | undefined {
  if (measurement === undefined || measurement.problem !== undefined) return undefined
  return median(measurement.samples)
}

export function median(samples: readonly number[]): number | undefined {
  return percentile(samples, 50)
}

/** Linear interpolation between the closest ranks; nothing for no samples. */
export function percentile(samples: readonly number[], percent: number): number | undefined {
  const sorted = [...samples].sort((a, b) => a - b)
  const rank = ((sorted.length - 1) * percent) / 100
  const below = sorted[Math.floor(rank)]
  const above = sorted[Math.ceil(rank)]
  if (below === undefined || above === undefined) return undefined
  return below + (above - below) * (rank - Math.floor(rank))
}
