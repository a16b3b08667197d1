import { expect, test } from 'vitest'
import { createInFlight } from '../../../src/transports/http/in-flight.ts'
import { SseTransport } from '../../../src/transports/http/sse-transport.ts'

const REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const
const RESULT = { jsonrpc: '2.0', id: 1, result: {} } as const

function open() {
  const inFlight = createInFlight()
  return { inFlight, transport: new SseTransport('/messages', inFlight) }
}

test('closes a connection whose client reads nothing', async () => {
  const { transport } = open()
  let isClosed = false
  transport.onclose = () => {
    isClosed = true
  }
  await transport.start()
  const big = { ...RESULT, result: { text: 'x'.repeat(1_000_000) } }
  for (let i = 0; i < 8; i++) await transport.send(big)
  expect(isClosed).toBe(false)
  await transport.send(big)
  expect(isClosed).toBe(true)
})

test.each([
  ['its answer', (transport: SseTransport) => transport.send(RESULT)],
  [
    'its cancellation',
    async (transport: SseTransport) => {
      transport.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    },
  ],
  ['the end of the connection', (transport: SseTransport) => transport.close()],
])('counts a request as in flight until %s', async (_, settle) => {
  const { inFlight, transport } = open()
  await transport.start()
  transport.receive(REQUEST)
  let isIdle = false
  const idle = inFlight.idle().then(() => {
    isIdle = true
  })
  await transport.send({ jsonrpc: '2.0', id: 2, result: {} })
  expect(isIdle).toBe(false)
  await settle(transport)
  await idle
})
