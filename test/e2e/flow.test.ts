import { expect, onTestFinished, test } from 'vitest'
import { RawPeer, stepOf, toolCall } from './raw-peer.ts'

const CALLS = 20_000

test('a client that reads nothing for 20,000 calls gets every answer when it reads', async () => {
  const peer = new RawPeer()
  onTestFinished(() => {
    peer.child.kill('SIGKILL')
  })
  await peer.initialize()
  peer.child.stdout.pause()
  const before = peer.answers.length
  const requests = Array.from({ length: CALLS }, (_, id) =>
    toolCall(id, stepOf(1, { thought: `Thought of ${id}` })),
  )
  // Taken to the end although nothing is read: a server that waited for its reader would block this client.
  await peer.flush(requests.join(''))
  expect(peer.answers).toHaveLength(before)
  peer.child.stdout.resume()
  expect(await peer.end()).toEqual({ code: 0, signal: null })
  const answers = peer.answers.slice(before)
  expect(answers).toHaveLength(CALLS)
  const wrong = answers.filter(
    ({ id, result }) => thoughtsOf(result?.structuredContent) !== `Thought of ${id}`,
  )
  expect(wrong).toEqual([])
  expect(peer.stderr).toBe('')
}, 60_000)

function thoughtsOf(content: Record<string, unknown> | undefined): string {
  const history = content?.thinkingHistory
  return Array.isArray(history) ? history.map(({ thought }) => thought).join() : ''
}
