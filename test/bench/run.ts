import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'
import { measureHttp } from './figures/http.ts'
import { measureInstall } from './figures/install.ts'
import { measureLatency } from './figures/latency.ts'
import { measureIdle, measureMemory } from './figures/memory.ts'
import { measurePayload } from './figures/payload.ts'
import { measureStart, versionOf } from './figures/start.ts'
import { measureThroughput } from './figures/throughput.ts'
import { createRecorder } from './measurement.ts'
import { type FigureName, type Options, parseOptions, USAGE } from './options.ts'
import { installPeers } from './peers.ts'
import { renderSections, renderTargets } from './table.ts'
import { judge } from './targets.ts'

const QUICK_ROUNDS = 3
const QUICK_SHARE = 0.1

const NOTES = `Medians of interleaved rounds. Every server is installed by npm from its published package, ours from
npm pack, and is spoken to in raw JSON-RPC over stdio (over HTTP where that is said). The reference runs with DISABLE_THOUGHT_LOGGING=true, its
faster mode; sequentialthinking-tools has no such switch and prints every thought on stderr, which is read and
dropped. The floor is a bare JSON-RPC echo without SDK, validation or state.`

const measures: Record<FigureName, (bench: Bench) => Promise<void>> = {
  start: measureStart,
  idle: measureIdle,
  memory: measureMemory,
  latency: measureLatency,
  throughput: measureThroughput,
  payload: measurePayload,
  install: measureInstall,
  http: measureHttp,
}

async function main(options: Options): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'seqthink-bench-'))
  const cleanUp = (): void => rmSync(work, { recursive: true, force: true })
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      cleanUp()
      process.exit(exitCode)
    })
  }
  try {
    const startedAt = new Date()
    const newerVersion = options.node === undefined ? undefined : versionOf(options.node)
    log('Installing the peers')
    const buildDir = options.build ?? fileURLToPath(new URL('../..', import.meta.url))
    const recorder = createRecorder()
    const bench: Bench = {
      peers: await installPeers(work, buildDir),
      place: { node: process.execPath, env: cleanEnvironment() },
      newerNode: options.node,
      work,
      rounds: (usual) => options.repeats ?? (options.quick ? Math.min(usual, QUICK_ROUNDS) : usual),
      calls: (usual) => (options.quick ? usual * QUICK_SHARE : usual),
      recorder,
      log,
    }
    for (const figure of options.figures) await measures[figure](bench)

    const measurements = recorder.all()
    const targets = judge(measurements, options.node)
    const machine = describeMachine()
    const versions = [process.version, ...(newerVersion === undefined ? [] : [newerVersion])]
    const quick = options.quick
      ? " A quick run: a tenth of the calls, so neither memory nor rates are the full run's."
      : ''
    print(`${startedAt.toISOString().slice(0, 10)}, ${machine}, Node ${versions.join(' and ')}.${quick}\n`)
    print(`${renderSections(measurements)}\n\n${NOTES}\n\n${renderTargets(targets)}`)
    if (options.json !== undefined) {
      const report = {
        date: startedAt.toISOString(),
        machine,
        node: versions,
        options,
        targets,
        measurements,
      }
      writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
    }
    if (options.strict && targets.some(({ met }) => met === false)) process.exitCode = 1
  } finally {
    cleanUp()
  }
}

/** Without what would configure a server, or load code into every node process. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(SEQTHINK_|NODE_|npm_|LOG_LEVEL$)/i.test(name),
  )
  return { ...Object.fromEntries(kept), DISABLE_THOUGHT_LOGGING: 'true' }
}

function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? process.arch
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  return `${model}, ${cpus().length} cores, ${memoryGb} GB, ${process.platform} ${process.arch}`
}

function log(text: string): void {
  process.stderr.write(`${text}\n`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) print(USAGE)
  else await main(options)
} catch (error) {
  log(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
