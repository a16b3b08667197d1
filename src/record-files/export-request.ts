export const EXPORT_FORMATS = ['markdown', 'mermaid', 'json', 'html'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What `seqthink-mcp export` was asked for. */
export interface ExportRequest {
  /** A session's file, or a folder of them. */
  readonly source: string
  readonly format: ExportFormat
  /** Where to write; standard output when absent, which takes one session only. */
  readonly output?: string | undefined
}
