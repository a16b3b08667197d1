import * as z from 'zod'

// The schema is published with the package (`seqthink-mcp/chain.schema.json`, see scripts/build.ts). At run time
// only its types are used, so the bundle carries none of it.

const time = z.string().describe('ISO 8601, UTC')
const number = z.int().min(1)
const count = z.int().min(0)

const versionSchema = z
  .object({
    revisionNumber: count.describe('0 is the first text'),
    thought: z.string().describe('the text that the next version replaced'),
    totalThoughts: number,
    recorded: time,
  })
  .describe('an earlier version of a thought')

const thoughtSchema = z
  .object({
    thoughtNumber: number,
    branchId: z.string().optional().describe('absent on the main line'),
    thought: z.string().describe('the present text, as it was sent'),
    totalThoughts: number.describe('the estimate that came with this text'),
    revisionNumber: count.describe('version of the present text; 0 is the first'),
    recorded: time.describe('when the present text was recorded (ISO 8601, UTC)'),
    branches: z.array(number).optional().describe('numbers of the thoughts that this one forks from'),
    isStale: z
      .literal(true)
      .optional()
      .describe('older than a revision of a thought that it builds on, so that it may no longer hold'),
    versions: z
      .array(versionSchema)
      .optional()
      .describe('earlier versions, oldest first; those that are no longer kept are missing'),
  })
  .describe('a thought')

const lineSchema = z
  .object({
    branchId: z.string().optional().describe('absent on the main line'),
    branchFromThought: number.optional().describe('the thought that the branch leaves'),
    parentBranchId: z
      .string()
      .optional()
      .describe('the branch that has the thought that this one leaves; absent where that is the main line'),
    firstThoughtNumber: number.describe('number of the first thought of the line, summarized or not'),
    nextThoughtNumber: number,
    thoughts: z.array(thoughtSchema).describe('those that are not summarized, in order of their numbers'),
  })
  .describe('the main line or a branch')

const summarySchema = z
  .object({
    thought: z.string().describe('the text of the summary'),
    recorded: time,
    summarizes: z.array(
      z.object({
        from: number,
        to: number,
        count: number,
        branchId: z.string().optional(),
      }),
    ),
    thoughts: z
      .array(thoughtSchema)
      .describe('the thoughts behind it, in the order of appending; those no longer kept are missing'),
  })
  .describe('the node that stands for the earliest thoughts')

const eventSchema = z
  .object({
    kind: z
      .enum(['stopped', 'closed', 'reopened', 'repeated'])
      .describe(
        'stopped: the server ended the chain; closed: the caller did; reopened: a later call went on; repeated: the thought says what an earlier one said',
      ),
    at: time,
    thoughtNumber: number.describe('the thought at whose recording it happened'),
    branchId: z.string().optional(),
    revisionNumber: count,
    text: z.string().optional().describe('stopped: the warning that the caller got'),
    isEarly: z.boolean().optional().describe('closed: before all the thoughts that were planned'),
    earlierNumber: number.optional().describe('repeated: the thought that is repeated'),
  })
  .describe('a stop, a warning, a closing or a reopening')

/** A chain with its record: what `thinking://sessions/{sessionId}` returns and every other document is made of. */
export const chainSnapshotSchema = z
  .object({
    schemaVersion: z.literal(1),
    sessionId: z.string(),
    opening: z.string().describe('the first 80 characters of thought 1'),
    isOpen: z.boolean().describe('whether the latest call asked to continue and was let'),
    opened: time,
    lastCall: time.describe('when the latest call was recorded (ISO 8601, UTC)'),
    steps: count.describe('thoughts that were appended, summarized ones included'),
    revisions: count.describe('revisions of all thoughts, summarized ones included'),
    totalThoughts: number.describe('the latest estimate'),
    last: z
      .object({ thoughtNumber: number, branchId: z.string().optional(), revisionNumber: count })
      .describe('the thought of the latest call'),
    main: lineSchema,
    branches: z.array(lineSchema).describe('in the order of opening'),
    summary: summarySchema.optional(),
    events: z.array(eventSchema).describe('oldest first'),
    dropped: z
      .object({ texts: count, chars: count, events: count })
      .optional()
      .describe('how much of the record was dropped, since it outgrew its budget; absent when nothing was'),
  })
  .describe('A chain of thoughts with its record')

export type ChainSnapshot = z.infer<typeof chainSnapshotSchema>
export type LineSnapshot = z.infer<typeof lineSchema>
export type ThoughtSnapshot = z.infer<typeof thoughtSchema>
export type SummarySnapshot = z.infer<typeof summarySchema>
export type EventSnapshot = z.infer<typeof eventSchema>
