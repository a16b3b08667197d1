import { Command, CommanderError, Option } from 'commander'
import type { Setting } from './config.ts'

/** What the command line asks for: to serve with these flags, to print a text and end, or nothing that exists. */
export type CommandLine = { flags: Record<string, string> } | { print: string } | { problem: string }

export function parseCommandLine(
  args: readonly string[],
  settings: readonly Setting[],
  version: string,
): CommandLine {
  const printed: string[] = []
  const program = new Command('seqthink-mcp')
    .description(
      'MCP server that lets a model think a problem through step by step. Speaks MCP on stdin and stdout.',
    )
    .version(version, '-V, --version', 'print the version and end')
    .helpOption('-h, --help', 'print this help and end')
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => {} })
  for (const setting of settings) {
    const description = `${setting.meaning} (${setting.environment}, default ${setting.default})`
    program.addOption(new Option(setting.isSwitch ? setting.flag : `${setting.flag} <value>`, description))
  }
  try {
    program.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { print: printed.join('') }
    return {
      problem: `${error.message.replace(/^error: /, '').replace(/\s+/g, ' ')}; see seqthink-mcp --help`,
    }
  }
  const given = Object.entries(program.opts<Record<string, string | true>>())
  return { flags: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
}
