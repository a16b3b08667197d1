import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../fuzz/random.ts'
import { RawPeer, stepOf, toolCall } from './raw-peer.ts'

const CONVERSATIONS = 200
const CALLS = 40

interface Conversation {
  readonly name: string
  sessionId?: string
  calls: number
  mainNext: number
  branchNext: number
  /** What the chain must hold: the latest text of every thought. */
  readonly texts: Map<string, string>
  readonly versions: Map<string, number>
}

test.each(['legacy', 'modern'] as const)(
  '200 conversations on one connection of the %s era hold their own text only and all of it',
  async (era) => {
    const random = createRandom(20)
    const peer = new RawPeer({ args: ['--max-steps', '1000'] })
    onTestFinished(() => {
      peer.child.kill('SIGKILL')
    })
    if (era === 'legacy') await peer.initialize()
    const conversations = Array.from({ length: CONVERSATIONS }, (_, i) => createConversation(`c${i}`))
    let id = 0
    // A conversation waits for the answer that names its session; after that its calls are sent ahead.
    const opened = conversations.map((conversation) => {
      const openId = ++id
      peer.write(toolCall(openId, opening(conversation), era))
      return { conversation, openId }
    })
    for (const { conversation, openId } of opened) {
      conversation.sessionId = String((await peer.answerTo(openId)).result?.structuredContent?.sessionId)
    }
    const unfinished = [...conversations]
    while (unfinished.length > 0) {
      const at = random.below(unfinished.length)
      const conversation = unfinished[at]
      if (conversation === undefined) break
      peer.write(toolCall(++id, nextCall(conversation, random.below(10)), era))
      if (conversation.calls === CALLS) unfinished.splice(at, 1)
    }
    for (const [i, { sessionId }] of conversations.entries()) {
      peer.write(toolCall(`read ${i}`, { sessionId }, era, 'get_thinking'))
    }
    expect(await peer.end()).toEqual({ code: 0, signal: null })
    const refused = peer.answers.filter(({ error, result }) => error ?? result?.isError)
    expect(refused).toEqual([])
    const calls = peer.answers.filter((answer) => typeof answer.id === 'number')
    expect(calls).toHaveLength(CONVERSATIONS * CALLS)
    for (const answer of calls) expectOwnText(conversations, answer.result?.structuredContent)
    for (const [i, conversation] of conversations.entries()) {
      const answer = peer.answers.find((other) => other.id === `read ${i}`)
      const texts = historyOf(answer?.result?.structuredContent).map(({ thought }) => thought)
      expect(texts.sort()).toEqual([...conversation.texts.values()].sort())
    }
  },
  60_000,
)

function createConversation(name: string): Conversation {
  return { name, calls: 0, mainNext: 1, branchNext: 0, texts: new Map(), versions: new Map() }
}

function opening(conversation: Conversation) {
  return append(conversation, 'main', conversation.mainNext++)
}

/** Mostly further steps of the main line, some of a branch, some revisions. */
function nextCall(conversation: Conversation, kind: number): object {
  const { sessionId, mainNext, branchNext, versions } = conversation
  if (kind === 0) {
    const [target] = [...versions.entries()].filter(([, version]) => version < 3).slice(-1)
    if (target !== undefined) return revise(conversation, target[0], target[1] + 1)
  }
  if (kind <= 2 && branchNext === 0) {
    conversation.branchNext = mainNext + 1
    const branchFromThought = mainNext - 1
    return { ...append(conversation, 'other', mainNext), sessionId, branchId: 'other', branchFromThought }
  }
  if (kind <= 4 && branchNext > 0) {
    return { ...append(conversation, 'other', conversation.branchNext++), sessionId, branchId: 'other' }
  }
  return { ...append(conversation, 'main', conversation.mainNext++), sessionId, branchId: 'main' }
}

function append(conversation: Conversation, line: string, number: number) {
  const key = `${line} ${number}`
  const thought = `${conversation.name}: ${key}, call ${++conversation.calls}`
  conversation.texts.set(key, thought)
  conversation.versions.set(key, 0)
  return stepOf(number, { thought, totalThoughts: 99 })
}

function revise(conversation: Conversation, key: string, revisionNumber: number) {
  const [branchId, number] = key.split(' ')
  const thought = `${conversation.name}: ${key} again, call ${++conversation.calls}`
  conversation.texts.set(key, thought)
  conversation.versions.set(key, revisionNumber)
  const { sessionId } = conversation
  return stepOf(Number(number), { thought, revisionNumber, branchId, sessionId, totalThoughts: 99 })
}

function expectOwnText(conversations: readonly Conversation[], content: Record<string, unknown> | undefined) {
  const owner = conversations.find(({ sessionId }) => sessionId === content?.sessionId)
  const foreign = historyOf(content).filter(({ thought }) => !String(thought).startsWith(`${owner?.name}: `))
  expect(foreign).toEqual([])
}

function historyOf(content: Record<string, unknown> | undefined): { thought: unknown }[] {
  const history = content?.thinkingHistory
  return Array.isArray(history) ? history : []
}
