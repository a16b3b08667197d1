import { type Bench, type Figure, interleave, plain } from '../bench.ts'
import { type Client, runChain, textOf, withServer } from '../load.ts'
import {
  BUDGET_FULL,
  BUDGETS_0,
  OURS,
  OURS_BUDGETS_0,
  OURS_FULL,
  REFERENCE,
  type Server,
  TOOLS,
} from '../peers.ts'
import { isObject, type JsonObject } from '../stdio-driver.ts'

const THOUGHT_CHARS = 200

export const PAYLOAD_TITLE = 'What a model reads'

export const definition: Figure = { name: 'definition: names, descriptions, input schemas', unit: 'bytes' }
const listRest: Figure = { name: 'the rest of tools/list', unit: 'bytes' }
export const results10: Figure = { name: 'result texts, chain of 10', unit: 'bytes' }
export const results20: Figure = { name: 'result texts, chain of 20', unit: 'bytes' }
export const results40: Figure = { name: 'result texts, chain of 40', unit: 'bytes' }
export const definitionAnd10: Figure = { name: 'definition and the ten results', unit: 'bytes' }

export async function measurePayload(bench: Bench): Promise<void> {
  const variants = [
    ...plain([OURS]),
    { of: OURS, label: OURS_BUDGETS_0, flags: BUDGETS_0 },
    { of: OURS, label: OURS_FULL, flags: BUDGET_FULL },
    ...plain([REFERENCE, TOOLS]),
  ]
  const figures = [definition, listRest, results10, results20, results40, definitionAnd10]
  // Bytes do not vary from run to run, so one round is enough.
  await interleave(bench, { title: PAYLOAD_TITLE, figures }, 1, variants, async (server) => {
    return withServer(forLongChains(server), bench.place, async (client) => {
      const list = await client.connection.request('tools/list', {})
      const paid = paidBytes(list)
      const ten = await resultBytes(client, 10)
      return [
        [definition, paid],
        [listRest, bytesOf(JSON.stringify(list)) - paid],
        [results10, ten],
        [results20, await resultBytes(client, 20)],
        [results40, await resultBytes(client, 40)],
        [definitionAnd10, paid + ten],
      ]
    })
  })
}

/** A chain of 40 is longer than this build allows by default. */
function forLongChains(server: Server): Server {
  return server.peer.name === OURS ? { ...server, flags: [...server.flags, '--max-steps', '100'] } : server
}

function paidBytes(list: JsonObject): number {
  const tools: unknown[] = Array.isArray(list.tools) ? list.tools : []
  return tools
    .filter(isObject)
    .map(({ name, description, inputSchema }) => bytesOf(JSON.stringify({ name, description, inputSchema })))
    .reduce((sum, bytes) => sum + bytes, 0)
}

async function resultBytes(client: Client, steps: number): Promise<number> {
  let bytes = 0
  await runChain(client, steps, THOUGHT_CHARS, (result) => {
    bytes += bytesOf(textOf(result))
  })
  return bytes
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
