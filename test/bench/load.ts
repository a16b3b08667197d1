import type { Peer, Server } from './peers.ts'
import { type Connection, connect, initialize, isObject, type JsonObject } from './stdio-driver.ts'
import { thoughtText } from './thought-text.ts'

export const CHAIN_STEPS = 10
export const LANES = 32
const STUCK_AFTER_MS = 600_000

/** Where and how the servers of a run are started. */
export interface Place {
  node: string
  env: NodeJS.ProcessEnv
}

export function start(server: Server, place: Place): Connection {
  return connect({ node: place.node, args: [server.peer.entry, ...server.flags], env: place.env })
}

/** Starts a server, shakes hands, lets `use` work with it, and stops it whatever happens. */
export async function withServer<T>(
  server: Server,
  place: Place,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = start(server, place)
  const stuck = setTimeout(() => void connection.stop(), STUCK_AFTER_MS)
  try {
    await initialize(connection)
    return await use({ connection, peer: server.peer, nextSerial: 0 })
  } finally {
    clearTimeout(stuck)
    await connection.stop()
  }
}

export interface Client {
  connection: Connection
  peer: Peer
  /** Number of the next thought text; every server is sent the same texts in the same order. */
  nextSerial: number
}

/** One chain from its opening to its end; `onResult` sees every answer and the time it took. */
export async function runChain(
  client: Client,
  steps: number,
  chars: number,
  onResult?: (result: JsonObject, elapsedMs: number) => void,
): Promise<void> {
  let sessionId: string | undefined
  const serial = client.nextSerial
  client.nextSerial += steps
  for (let number = 1; number <= steps; number += 1) {
    const thought = thoughtText(serial + number, chars)
    const params = {
      name: client.peer.tool,
      arguments: client.peer.toArguments({ thought, number, total: steps, sessionId }),
    }
    const startedAt = performance.now()
    const result = await client.connection.request('tools/call', params)
    onResult?.(result, performance.now() - startedAt)
    if (result.isError === true) throw new Error(`A call was refused: ${textOf(result).slice(0, 200)}`)
    sessionId ??= sessionOf(result)
  }
}

/** `calls` calls in chains of ten, one chain after the other in each lane, the lanes side by side. */
export async function runLanes(client: Client, calls: number, lanes: number, chars: number): Promise<void> {
  let chains = Math.ceil(calls / CHAIN_STEPS)
  const lane = async (): Promise<void> => {
    while (chains > 0) {
      chains -= 1
      await runChain(client, CHAIN_STEPS, chars)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

export function textOf(result: JsonObject): string {
  const block: unknown = Array.isArray(result.content) ? result.content[0] : undefined
  return isObject(block) && typeof block.text === 'string' ? block.text : ''
}

function sessionOf(result: JsonObject): string | undefined {
  const structured = result.structuredContent
  return isObject(structured) && typeof structured.sessionId === 'string' ? structured.sessionId : undefined
}
