import { type Answer, type Era, lineOf, RawPeer, stepOf, toolCall } from '../e2e/raw-peer.ts'
import { expectedOf, isExpected, outcomeOf } from './expectations.ts'
import type { Kind } from './mutations.ts'

/** Steps of the chain on which the server must answer rightly throughout; then another is opened. */
const CHAIN_STEPS = 20

interface Line {
  readonly id: string
  readonly kind: Kind
  readonly bytes: Uint8Array
}

/** A server of one era, the lines that it is still to get, and the answers that it gave to those it got last. */
export class FuzzedServer {
  readonly era: Era
  readonly #peer: RawPeer
  readonly #answers = new Map<string | number | undefined, Answer[]>()
  #lines: Line[] = []
  #calls = 0
  #texts: string[] = []
  #sessionId: unknown

  constructor(era: Era) {
    this.era = era
    this.#peer = new RawPeer({
      onAnswer: (answer) => {
        const earlier = this.#answers.get(answer.id)
        if (earlier === undefined) this.#answers.set(answer.id, [answer])
        else earlier.push(answer)
      },
    })
  }

  get pid(): number | undefined {
    return this.#peer.child.pid
  }

  async open(): Promise<void> {
    if (this.era === 'legacy') {
      const clientInfo = { name: 'fuzz', version: '1.0.0' }
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
      await this.#ask('initialize', lineOf({ id: 'initialize', method: 'initialize', params }))
    }
    await this.#callRightly()
  }

  add(id: string, kind: Kind, text: string | Uint8Array): void {
    this.#lines.push({ id, kind, bytes: typeof text === 'string' ? Buffer.from(text) : text })
  }

  /** Sends the lines, then makes calls that must be answered rightly, then looks at the answers to the lines. */
  async sendRound(): Promise<void> {
    this.#peer.write(Buffer.concat(this.#lines.map(({ bytes }) => bytes)))
    await this.#callRightly()
    for (const line of this.#lines) this.#check(line)
    const unsure = this.#lines.filter(({ kind }) => expectedOf(kind, this.era) === 'anything')
    if (this.#answers.size > unsure.length) {
      throw new Error(`answers to nothing that was asked: ${JSON.stringify([...this.#answers.values()])}`)
    }
    this.#answers.clear()
    this.#lines = []
  }

  async close(): Promise<void> {
    const { code, signal } = await this.#peer.end()
    if (this.#peer.problem !== undefined) throw this.#peer.problem
    const { stderr } = this.#peer
    if (code !== 0 || stderr !== '') throw new Error(`the server ended with ${code ?? signal}: ${stderr}`)
  }

  kill(): void {
    this.#peer.child.kill('SIGKILL')
  }

  #check({ id, kind, bytes }: Line): void {
    const expected = expectedOf(kind, this.era)
    // Such a line may have become one with another id.
    if (expected === 'anything') return
    const answers = this.#answers.get(id) ?? []
    this.#answers.delete(id)
    const outcomes = answers.length === 0 ? ['none' as const] : answers.map(outcomeOf)
    if (outcomes.length === 1 && outcomes.every((outcome) => isExpected(outcome, expected))) return
    const sent = Buffer.from(bytes).toString('latin1').slice(0, 2000)
    throw new Error(
      `${kind} (${this.era}): expected ${expected}, got ${outcomes.join()}\nsent ${sent}\nanswers ${JSON.stringify(answers).slice(0, 2000)}`,
    )
  }

  /** Goes on with a chain of its own and reads it whole. */
  async #callRightly(): Promise<void> {
    if (this.#texts.length === CHAIN_STEPS) this.#texts = []
    const thought = `Right call ${++this.#calls}`
    this.#texts.push(thought)
    const number = this.#texts.length
    const sessionId = number === 1 ? undefined : this.#sessionId
    const step = stepOf(number, { thought, sessionId })
    const recorded = await this.#ask(`call ${this.#calls}`, toolCall(`call ${this.#calls}`, step, this.era))
    const content = recorded.result?.structuredContent
    this.#sessionId = content?.sessionId
    const read = await this.#ask(
      `read ${this.#calls}`,
      toolCall(`read ${this.#calls}`, { sessionId: this.#sessionId }, this.era, 'get_thinking'),
    )
    const history = read.result?.structuredContent?.thinkingHistory
    const texts = Array.isArray(history) ? history.map((node) => node.thought) : []
    if (content?.thoughtNumber !== number || texts.join('\n') !== this.#texts.join('\n')) {
      throw new Error(`a right call was answered wrongly: ${JSON.stringify([recorded, read])}`)
    }
  }

  async #ask(id: string, line: string): Promise<Answer> {
    this.#peer.write(line)
    await this.#peer.until(() => this.#answers.has(id))
    const [answer, another] = this.#answers.get(id) ?? []
    if (answer === undefined || another !== undefined) throw new Error(`several answers to ${id}`)
    this.#answers.delete(id)
    return answer
  }
}
