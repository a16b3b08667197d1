import { FuzzedServer } from './fuzzed-server.ts'
import { type Kind, MUTATIONS } from './mutations.ts'
import { createRandom } from './random.ts'

/** Lines between two calls that must be answered rightly. */
const ROUND_LINES = 100

export interface FuzzOptions {
  readonly seed: number
  readonly lines: number
  /** Called when a round is answered, with the lines sent so far. */
  readonly onRound?: (lines: number, servers: readonly FuzzedServer[]) => void
}

/**
 * Sends mutated lines to a server of each era, half to each.
 *
 * @returns how many lines of each kind were sent
 * @throws at the first answer that is not as expected, with the line
 */
export async function fuzz({ seed, lines, onRound }: FuzzOptions): Promise<ReadonlyMap<Kind, number>> {
  const random = createRandom(seed)
  const kinds = Object.keys(MUTATIONS).filter(isKind)
  const sent = new Map(kinds.map((kind) => [kind, 0]))
  const servers = [new FuzzedServer('legacy'), new FuzzedServer('modern')]
  try {
    await Promise.all(servers.map((server) => server.open()))
    let count = 0
    while (count < lines) {
      for (const server of servers) {
        for (let i = 0; i < ROUND_LINES && count < lines; i++) {
          const kind = kinds[random.below(kinds.length)]
          if (kind === undefined) throw new Error('there are no mutations')
          const id = `${kind} ${++count}`
          server.add(id, kind, MUTATIONS[kind](id, server.era, random))
          sent.set(kind, (sent.get(kind) ?? 0) + 1)
        }
      }
      await Promise.all(servers.map((server) => server.sendRound()))
      onRound?.(count, servers)
    }
    await Promise.all(servers.map((server) => server.close()))
  } finally {
    for (const server of servers) server.kill()
  }
  return sent
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(MUTATIONS, name)
}
