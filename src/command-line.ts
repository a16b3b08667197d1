import { Argument, Command, CommanderError, Option } from 'commander'
import type { Setting } from './config.ts'
import { EXPORT_FORMATS, type ExportRequest } from './record-files/export-request.ts'

/**
 * What the command line asks for: to serve with these flags, to list or export recorded sessions, to print a text
 * and end, or nothing that exists.
 */
export type CommandLine =
  | { flags: Record<string, string> }
  | { list: string }
  | { export: ExportRequest }
  | { print: string }
  | { problem: string }

export function parseCommandLine(
  args: readonly string[],
  settings: readonly Setting[],
  version: string,
): CommandLine {
  const printed: string[] = []
  const program = new Command('seqthink-mcp')
    .description(
      'MCP server that lets a model think a problem through step by step. Speaks MCP on stdin and stdout, or over HTTP.',
    )
    .version(version, '-V, --version', 'print the version and end')
    .helpOption('-h, --help', 'print this help and end')
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => {} })
  for (const setting of settings) {
    if (setting.flag === undefined) {
      program.addHelpText(
        'after',
        `\n${setting.environment}: ${setting.meaning} (no flag: other users could read it)`,
      )
      continue
    }
    const standard = setting.isSwitch ? '' : `, default ${`${setting.default}` || 'none'}`
    const description = `${setting.meaning} (${setting.environment}${standard})`
    program.addOption(new Option(setting.isSwitch ? setting.flag : `${setting.flag} <value>`, description))
  }
  let asked: CommandLine | undefined
  program.action(() => {})
  program
    .command('list')
    .description('list the sessions that a server with --record-dir wrote')
    .addArgument(new Argument('<dir>', 'the folder given as --record-dir'))
    .action((dir: string) => {
      asked = { list: dir }
    })
  program
    .command('export')
    .description('print a recorded session as a document; with a folder, write one for each of its sessions')
    .addArgument(new Argument('<file|dir>', 'a session (.jsonl) or the folder given as --record-dir'))
    .addOption(new Option('--format <format>', 'format').choices(EXPORT_FORMATS).default('markdown'))
    .addOption(new Option('-o, --output <path>', 'file to write, or folder where a folder is exported'))
    .action((source: string, { format, output }: Omit<ExportRequest, 'source'>) => {
      asked = { export: { source, format, output } }
    })
  try {
    program.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { print: printed.join('') }
    const problem = error.message.replace(/^error: |\.$/g, '').replace(/\s+/g, ' ')
    return { problem: `${problem}; see seqthink-mcp --help` }
  }
  if (asked !== undefined) return asked
  // A `--no-…` flag that was not given still has a value.
  const given = Object.entries(program.opts<Record<string, string | boolean>>()).filter(
    ([name]) => program.getOptionValueSource(name) === 'cli',
  )
  return { flags: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
}
