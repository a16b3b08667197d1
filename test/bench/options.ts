import { parseArgs } from 'node:util'

export const FIGURES = [
  'start',
  'idle',
  'memory',
  'latency',
  'throughput',
  'payload',
  'install',
  'http',
] as const
export type FigureName = (typeof FIGURES)[number]

export const USAGE = `npm run bench -- [options]
  --only a,b      only these figures: ${FIGURES.join(', ')}
  --repeats N     N rounds of every figure instead of its own number
  --quick         three rounds at most and a tenth of the calls
  --node PATH     measure the start on this (newer) Node too
  --build DIR     the checkout to pack, with a built dist (default: this one)
  --json FILE     write all samples there
  --strict        exit code 1 when a target is missed
  --help`

export interface Options {
  figures: readonly FigureName[]
  repeats: number | undefined
  quick: boolean
  node: string | undefined
  build: string | undefined
  json: string | undefined
  strict: boolean
  help: boolean
}

export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      repeats: { type: 'string' },
      quick: { type: 'boolean', default: false },
      node: { type: 'string' },
      build: { type: 'string' },
      json: { type: 'string' },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    figures: values.only === undefined ? FIGURES : parseFigures(values.only),
    repeats: values.repeats === undefined ? undefined : parseCount(values.repeats),
    quick: values.quick,
    node: values.node,
    build: values.build,
    json: values.json,
    strict: values.strict,
    help: values.help,
  }
}

function parseFigures(list: string): FigureName[] {
  return list.split(',').map((name) => {
    const figure = FIGURES.find((known) => known === name.trim())
    if (figure === undefined) throw new Error(`--only knows ${FIGURES.join(', ')}, not "${name}"`)
    return figure
  })
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`--repeats takes an integer from 1 on, not "${text}"`)
  return count
}
