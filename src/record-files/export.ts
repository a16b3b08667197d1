import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { ChainSnapshot } from '../documents/chain-snapshot.ts'
import { toHtml } from '../documents/to-html.ts'
import { toJson } from '../documents/to-json.ts'
import { toMarkdown } from '../documents/to-markdown.ts'
import { toMermaid } from '../documents/to-mermaid.ts'
import { toSnapshot } from '../documents/to-snapshot.ts'
import type { CommandReport } from './command-report.ts'
import type { ExportFormat, ExportRequest } from './export-request.ts'
import { findSessions } from './folder.ts'
import { makeFolder } from './make-folder.ts'

const RENDERERS: Record<
  ExportFormat,
  { render: (snapshot: ChainSnapshot) => string | Promise<string>; suffix: string }
> = {
  markdown: { render: toMarkdown, suffix: '.md' },
  mermaid: { render: toMermaid, suffix: '.mmd' },
  json: { render: toJson, suffix: '.json' },
  html: { render: toHtml, suffix: '.html' },
}

/** Writes recorded sessions as documents: one to `stdout` or a file, those of a folder to a folder. */
export async function exportSessions(request: ExportRequest, stdout: Writable): Promise<CommandReport> {
  const { source, format, output } = request
  const { sessions, warnings: found, isFolder } = await findSessions(source)
  const { render, suffix } = RENDERERS[format]
  const copies = new Map<string, number>()
  const warnings = [...found]
  const named = sessions.map(({ sessionId, chain }) => {
    const copy = (copies.get(sessionId) ?? 0) + 1
    copies.set(sessionId, copy)
    const name = `${copy === 1 ? sessionId : `${sessionId}-${copy}`}${suffix}`
    if (copy > 1) warnings.push(`Another file holds session ${sessionId} too; this one becomes ${name}.`)
    return { name, snapshot: toSnapshot(sessionId, chain) }
  })
  const documents = await Promise.all(
    named.map(async ({ name, snapshot }) => ({ name, text: await render(snapshot) })),
  )
  const [only, ...others] = documents
  if (only === undefined) return { warnings, isDone: isFolder && warnings.length === 0 }
  if (output === undefined) {
    if (others.length > 0) {
      const problem = `${source} holds ${documents.length} sessions; say with --output in which folder to write them, or export one of its files.`
      return { warnings: [problem], isDone: false }
    }
    stdout.write(only.text)
    return { warnings, isDone: true }
  }
  try {
    if (isFolder) makeFolder(output)
    for (const { name, text } of documents) {
      await writeFile(isFolder ? join(output, name) : output, text, { mode: 0o600 })
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { warnings: [...warnings, `${output} cannot be written: ${reason}.`], isDone: false }
  }
  return { warnings, isDone: true }
}
