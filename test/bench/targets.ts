import type { Figure } from './bench.ts'
import { HTTP_TITLE, httpRate } from './figures/http.ts'
import { INSTALL_TITLE, packages } from './figures/install.ts'
import { LATENCY_TITLE, p50 } from './figures/latency.ts'
import { after20k, after100k, IDLE_TITLE, idle, MEMORY_TITLE } from './figures/memory.ts'
import {
  definition,
  definitionAnd10,
  PAYLOAD_TITLE,
  results10,
  results20,
  results40,
} from './figures/payload.ts'
import { BARE_NODE, newerStartTitle, START_TITLE, toInitialize } from './figures/start.ts'
import { cpu, rate, THROUGHPUT_TITLE } from './figures/throughput.ts'
import { type Measurement, medianOf } from './measurement.ts'
import { OURS, OURS_BUDGETS_0, REFERENCE } from './peers.ts'

export interface Target {
  name: string
  relation: '≤' | '≥' | '='
  limit: number
  measured: number | undefined
  met: boolean | undefined
}

/** The targets as ratios within one run; what was not measured has no verdict. */
export function judge(measurements: readonly Measurement[], newerNode: string | undefined): Target[] {
  const value = (section: string, figure: Figure, server: string): number | undefined =>
    medianOf(
      measurements.find(
        (cell) => cell.section === section && cell.figure === figure.name && cell.server === server,
      ),
    )
  const versusReference = (section: string, figure: Figure, server = OURS): number | undefined =>
    ratio(value(section, figure, server), value(section, figure, REFERENCE))
  const newer = newerNode === undefined ? START_TITLE : newerStartTitle(newerNode)
  const onNewer = (server: string): number | undefined =>
    newerNode === undefined ? undefined : value(newer, toInitialize, server)

  return [
    target('start to initialize, of the reference', '≤', 0.55, versusReference(START_TITLE, toInitialize)),
    target('second start on a newer Node, of node -e 0', '≤', 1.4, ratio(onNewer(OURS), onNewer(BARE_NODE))),
    target('idle memory, of the reference', '≤', 0.85, versusReference(IDLE_TITLE, idle)),
    target(
      'memory after 100,000 thoughts, of after 20,000',
      '≤',
      1.05,
      ratio(value(MEMORY_TITLE, after100k, OURS), value(MEMORY_TITLE, after20k, OURS)),
    ),
    target(
      'memory after 100,000 thoughts, of the reference',
      '≤',
      0.6,
      versusReference(MEMORY_TITLE, after100k),
    ),
    target('p50, one call after the other, of the reference', '≤', 1, versusReference(LATENCY_TITLE, p50)),
    target(
      'CPU time a call, budgets 0, of the reference',
      '≤',
      1,
      versusReference(THROUGHPUT_TITLE, cpu, OURS_BUDGETS_0),
    ),
    target(
      'calls a second, default budgets, of the reference',
      '≥',
      0.9,
      versusReference(THROUGHPUT_TITLE, rate),
    ),
    target('definition, of the reference', '≤', 0.6, versusReference(PAYLOAD_TITLE, definition)),
    target(
      'result bytes, chain of 10, budgets 0, of the reference',
      '≤',
      2,
      versusReference(PAYLOAD_TITLE, results10, OURS_BUDGETS_0),
    ),
    target(
      'definition and ten results, budgets 0, of the reference',
      '≤',
      0.8,
      versusReference(PAYLOAD_TITLE, definitionAnd10, OURS_BUDGETS_0),
    ),
    target(
      'result bytes, default budgets, chain of 40 over 20',
      '≤',
      2.2,
      ratio(value(PAYLOAD_TITLE, results40, OURS), value(PAYLOAD_TITLE, results20, OURS)),
    ),
    target('calls a second over HTTP, of the reference', '≥', 3, versusReference(HTTP_TITLE, httpRate)),
    target('packages installed', '=', 1, value(INSTALL_TITLE, packages, OURS)),
  ]
}

function target(
  name: string,
  relation: Target['relation'],
  limit: number,
  measured: number | undefined,
): Target {
  return {
    name,
    relation,
    limit,
    measured,
    met: measured === undefined ? undefined : holds(relation, measured, limit),
  }
}

function holds(relation: Target['relation'], measured: number, limit: number): boolean {
  if (relation === '=') return measured === limit
  return relation === '≤' ? measured <= limit : measured >= limit
}

function ratio(ours: number | undefined, other: number | undefined): number | undefined {
  return ours === undefined || other === undefined || other === 0 ? undefined : ours / other
}
