import type { ElicitRequestFormParams, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

type Form = ElicitRequestFormParams['requestedSchema']

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

/** A form with a default of each primitive type. */
const DEFAULTS: Form['properties'] = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}

const OPTIONS = ['option1', 'option2', 'option3']
const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
]

/** A form with a choice of each kind. */
const CHOICES: Form['properties'] = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled } },
}

/**
 * The suite's tools that ask the client for something in the older era's way: with a request of their own. It goes
 * with the call's stream (`send`): what goes to the session's stream is lost as long as the client has not opened it.
 */
export function registerRequestTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks for a completion', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }]
      const params = { messages, maxTokens: 100 }
      const { content } = await mcpReq.send({ method: 'sampling/createMessage', params })
      return text(`LLM response: ${JSON.stringify(content)}`)
    },
  )

  const registerForm = (name: string, message: string, properties: Form['properties']) =>
    server.registerTool(
      name,
      { description: name, inputSchema: z.object({ message: z.string().default(message) }) },
      async (args, { mcpReq }) => {
        const requestedSchema: Form = { type: 'object', properties, required: [] }
        const params = { message: args.message, requestedSchema }
        const { action, content } = await mcpReq.send({ method: 'elicitation/create', params })
        return text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`)
      },
    )
  registerForm('test_elicitation', 'Please answer', {
    response: { type: 'string', description: "User's response" },
  })
  registerForm('test_elicitation_sep1034_defaults', 'Please review the defaults', DEFAULTS)
  registerForm('test_elicitation_sep1330_enums', 'Please choose', CHOICES)
}
