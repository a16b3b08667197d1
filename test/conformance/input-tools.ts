import { randomBytes, randomUUID } from 'node:crypto'
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'

const stateSchema = z.looseObject({ round: z.number().optional(), name: z.string().optional() })

/** Seals what a tool has to remember between two rounds, since a request may not lean on earlier ones. */
export const stateCodec = createRequestStateCodec<z.infer<typeof stateSchema>>({ key: randomBytes(32) })

const sealed = (state: z.infer<typeof stateSchema> = {}) => stateCodec.mint({ ...state, nonce: randomUUID() })
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

function ask(message: string, field: string, type: 'string' | 'boolean') {
  const property = type === 'string' ? { type } : { type }
  const requestedSchema = { type: 'object' as const, properties: { [field]: property }, required: [field] }
  return inputRequired.elicit({ message, requestedSchema })
}

function sample(prompt: string) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  })
}

const sampledSchema = z.object({ content: z.object({ text: z.string() }) })
const envelopeSchema = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({
    elicitation: z.unknown().optional(),
    sampling: z.unknown().optional(),
    roots: z.unknown().optional(),
  }),
})
const rootsSchema = z.object({ roots: z.array(z.unknown()) })

function answerOf(ctx: ServerContext, key: string, field: string): unknown {
  return acceptedContent<Record<string, unknown>>(ctx.mcpReq.inputResponses, key)?.[field]
}

function sampledOf(ctx: ServerContext, key: string): string | undefined {
  return sampledSchema.safeParse(ctx.mcpReq.inputResponses?.[key]).data?.content.text
}

function rootsOf(ctx: ServerContext): unknown[] | undefined {
  return rootsSchema.safeParse(ctx.mcpReq.inputResponses?.client_roots).data?.roots
}

/** The suite's tools that ask the client for something in 2026-07-28's way: with a result that needs input. */
export function registerInputTools(server: McpServer): void {
  const register = (name: string, handle: Parameters<typeof server.registerTool>[2]) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, handle)

  register('test_input_required_result_elicitation', async (_, ctx) => {
    const name = answerOf(ctx, 'user_name', 'name')
    if (typeof name === 'string') return text(`Hello, ${name}!`)
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name', 'string') } })
  })

  for (const [tool, key] of [
    ['test_input_required_result_sampling', 'capital_question'],
    ['test_missing_capability', 'llm_answer'],
  ] as const) {
    register(tool, async (_, ctx) => {
      const sampled = sampledOf(ctx, key)
      if (sampled !== undefined) return text(sampled)
      return inputRequired({ inputRequests: { [key]: sample('What is the capital of France?') } })
    })
  }

  register('test_input_required_result_list_roots', async (_, ctx) => {
    const roots = rootsOf(ctx)
    if (roots !== undefined) return text(`The client has ${roots.length} root(s): ${JSON.stringify(roots)}`)
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })

  for (const tool of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    register(tool, async (_, ctx) => {
      const isConfirmed = answerOf(ctx, 'confirm', 'ok') !== undefined
      if (isConfirmed && ctx.mcpReq.requestState() !== undefined) return text('state-ok')
      return inputRequired({
        inputRequests: { confirm: ask('Please confirm', 'ok', 'boolean') },
        requestState: await sealed(),
      })
    })
  }

  register('test_input_required_result_multiple_inputs', async (_, ctx) => {
    const name = answerOf(ctx, 'user_name', 'name')
    const greeting = sampledOf(ctx, 'greeting')
    const roots = rootsOf(ctx)
    if (typeof name === 'string' && greeting !== undefined && roots !== undefined) {
      return text(`${greeting} ${name}, ${roots.length} root(s)`)
    }
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name', 'string'),
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await sealed(),
    })
  })

  register('test_input_required_result_multi_round', async (_, ctx) => {
    const { round = 0, name = 'unknown' } = stateSchema.safeParse(ctx.mcpReq.requestState()).data ?? {}
    if (round === 0) {
      return inputRequired({
        inputRequests: { step1: ask('Step 1: What is your name?', 'name', 'string') },
        requestState: await sealed({ round: 1 }),
      })
    }
    if (round === 1) {
      return inputRequired({
        inputRequests: { step2: ask('Step 2: What is your favorite color?', 'color', 'string') },
        requestState: await sealed({ round: 2, name: String(answerOf(ctx, 'step1', 'name')) }),
      })
    }
    return text(`${name} likes ${answerOf(ctx, 'step2', 'color')}`)
  })

  register('test_input_required_result_capabilities', async (_, ctx) => {
    if (ctx.mcpReq.inputResponses !== undefined) return text('Answered')
    const { elicitation, sampling, roots } = envelopeSchema.parse(ctx.mcpReq.envelope)[
      CLIENT_CAPABILITIES_META_KEY
    ]
    return inputRequired({
      inputRequests: {
        ...(elicitation !== undefined && { user_name: ask('What is your name?', 'name', 'string') }),
        ...(sampling !== undefined && { greeting: sample('Generate a greeting') }),
        ...(roots !== undefined && { client_roots: inputRequired.listRoots() }),
      },
    })
  })

  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks' },
    async (ctx: ServerContext) => {
      const context = answerOf(ctx, 'user_context', 'context')
      if (typeof context !== 'string') {
        const user_context = ask('What context should the prompt use?', 'context', 'string')
        return inputRequired({ inputRequests: { user_context } })
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${context}` } }] }
    },
  )
}
