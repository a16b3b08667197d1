import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

// Over HTTP a server is made for each request, a schema need not be.
const argsSchema = z.object({ problem: z.string().min(1).describe('What to think through') })

/** The prompt by which a user asks for the tool by hand; many clients show it as a slash command. */
export function registerThinkStepByStep(server: McpServer): void {
  server.registerPrompt(
    'think_step_by_step',
    {
      title: 'Think step by step',
      description: 'Think a problem through with sequential_thinking before answering.',
      argsSchema,
    },
    ({ problem }) => ({ messages: [{ role: 'user', content: { type: 'text', text: promptFor(problem) } }] }),
  )
}

function promptFor(problem: string): string {
  return `Think the following problem through with the tool sequential_thinking before you answer: one step a call, each with its conclusion and its reasons. Revise a step when a later one shows it wrong, branch where two ways are worth trying, and set nextThoughtNeeded to false as soon as the information suffices. Then give me the answer, with the steps that led to it in a few sentences.

${problem}`
}
