import type { ChainSnapshot, LineSnapshot, SummarySnapshot, ThoughtSnapshot } from './chain-snapshot.ts'
import { inline, quote } from './markdown-text.ts'
import { nameOf, plural, sentenceOf, timeOf, toRange } from './markdown-wording.ts'

/** A block of the document: its lines, without the blank line between blocks. */
type Block = readonly string[]

/** The chain as a document for a colleague: question, steps by line with what they replaced, stops, conclusion. */
export function toMarkdown(snapshot: ChainSnapshot): string {
  const blocks: Block[] = [
    [`# ${inline(snapshot.opening) || 'A chain of thoughts'}`],
    [describe(snapshot)],
    ...toQuestion(snapshot),
    ...(snapshot.summary === undefined ? [] : toSummary(snapshot.summary)),
    ...toMainLine(snapshot),
    ...toOrphans(snapshot),
    ...toEvents(snapshot),
    ...toConclusion(snapshot),
  ]
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`
}

function describe(snapshot: ChainSnapshot): string {
  const { steps, revisions, branches, dropped } = snapshot
  const counts = [plural(steps, 'step'), plural(revisions, 'revision'), plural(branches.length, 'branch')]
  const gone = [
    ...(dropped?.texts
      ? [`${plural(dropped.texts, 'earlier text')} (${plural(dropped.chars, 'character')})`]
      : []),
    ...(dropped?.events ? [plural(dropped.events, 'event')] : []),
  ]
  const mark = gone.length === 0 ? '' : ` No longer kept, for lack of room: ${gone.join(' and ')}.`
  return `${counts.join(', ')}; ${snapshot.isOpen ? 'open' : 'closed'}. Opened ${timeOf(snapshot.opened)}, last call ${timeOf(snapshot.lastCall)}, chain \`${inline(snapshot.sessionId)}\`.${mark}`
}

function toQuestion({ main, summary, opening, branches }: ChainSnapshot): Block[] {
  const first = main.thoughts.find(isQuestion)
  if (first !== undefined) {
    return [['## Question'], quote(first.thought), ...notesOf(first), ...toBranches(first, branches)]
  }
  const summarized = summary?.thoughts.find(isQuestion)
  return [['## Question'], quote(summarized?.thought ?? opening)]
}

function toSummary(summary: SummarySnapshot): Block[] {
  const blocks: Block[] = [
    ['## Summary of the earliest thoughts'],
    [`Made ${timeOf(summary.recorded)} in place of ${summary.summarizes.map(toRange).join(', ')}.`],
    quote(summary.thought),
  ]
  for (const { branchId, from, to } of summary.summarizes) {
    const kept = summary.thoughts.filter((thought) => thought.branchId === branchId)
    const missing = to - from + 1 - kept.length
    blocks.push([`The thoughts behind it on ${nameOf(branchId)}:`])
    if (missing > 0) blocks.push([`*${plural(missing, 'text')} no longer kept.*`])
    blocks.push(...toSteps(kept, []))
  }
  return blocks
}

function toMainLine({ main, branches }: ChainSnapshot): Block[] {
  const steps = main.thoughts.filter((thought) => !isQuestion(thought))
  return steps.length === 0 ? [] : [['## Main line'], ...toSteps(steps, branches)]
}

/** Branches whose fork is summarized, so that they stand under no thought. */
function toOrphans({ main, branches }: ChainSnapshot): Block[] {
  const isShown = (branch: LineSnapshot) =>
    [main, ...branches].some(
      (line) =>
        line.branchId === branch.parentBranchId &&
        line.thoughts.some((thought) => thought.thoughtNumber === branch.branchFromThought),
    )
  return branches
    .filter((branch) => !isShown(branch) && branch.thoughts.length > 0)
    .flatMap((branch) => [
      [`## Branch “${inline(branch.branchId ?? '')}”`],
      [`Leaves thought ${branch.branchFromThought} of ${nameOf(branch.parentBranchId)}, now in the summary.`],
      ...toSteps(branch.thoughts, branches),
    ])
}

/** A numbered list; a gap in the numbers starts another one. */
function toSteps(thoughts: readonly ThoughtSnapshot[], branches: readonly LineSnapshot[]): Block[] {
  let previous: number | undefined
  return thoughts.flatMap((thought) => {
    const { thoughtNumber } = thought
    const gap = previous !== undefined && thoughtNumber !== previous + 1 ? [['…']] : []
    previous = thoughtNumber
    const marker = `${thoughtNumber}. `
    // A quote, so that a text with line breaks or indentation stays in its item.
    const content = [quote(thought.thought), ...notesOf(thought), ...toBranches(thought, branches)].map(
      (block) => block.map((line) => (line === '' ? '' : `${' '.repeat(marker.length)}${line}`)),
    )
    const [first = [], ...others] = content
    return [...gap, [`${marker}${first[0]?.trimStart() ?? ''}`, ...first.slice(1)], ...others]
  })
}

/** What there is to say about a thought: what it replaced, and whether it may no longer hold. */
function notesOf({ versions = [], revisionNumber, recorded, isStale }: ThoughtSnapshot): Block[] {
  const replaced = versions.flatMap((version, i) => {
    const by = versions[i + 1] ?? { revisionNumber, recorded }
    const which = version.revisionNumber === 0 ? 'the first text' : `revision ${version.revisionNumber}`
    return [
      [
        `Revision ${by.revisionNumber} (${timeOf(by.recorded)}) replaced ${which} (${timeOf(version.recorded)}):`,
      ],
      quote(version.thought),
    ]
  })
  const missing = revisionNumber - versions.length
  return [
    ...(missing > 0 ? [[`*${plural(missing, 'earlier text')} no longer kept.*`]] : []),
    ...replaced,
    ...(isStale ? [['*May no longer hold: a thought that it builds on was revised later.*']] : []),
  ]
}

function toBranches(fork: ThoughtSnapshot, branches: readonly LineSnapshot[]): Block[] {
  return branches
    .filter(
      (branch) =>
        branch.branchFromThought === fork.thoughtNumber &&
        branch.parentBranchId === fork.branchId &&
        branch.thoughts.length > 0,
    )
    .flatMap((branch) => [
      [`**Branch “${inline(branch.branchId ?? '')}”** leaves thought ${fork.thoughtNumber}:`],
      ...toSteps(branch.thoughts, branches),
    ])
}

function toEvents({ events }: ChainSnapshot): Block[] {
  if (events.length === 0) return []
  return [['## Stops and warnings'], events.map((event) => `- ${timeOf(event.at)}, ${sentenceOf(event)}`)]
}

function toConclusion({ isOpen, last, main, branches }: ChainSnapshot): Block[] {
  if (isOpen) return []
  const line = branches.find(({ branchId }) => branchId === last.branchId) ?? main
  const end = line.thoughts.at(-1)
  if (end === undefined) return []
  return [
    ['## Conclusion'],
    [`Thought ${end.thoughtNumber} of ${nameOf(line.branchId)}:`],
    quote(end.thought),
  ]
}

function isQuestion({ thoughtNumber, branchId }: ThoughtSnapshot): boolean {
  return thoughtNumber === 1 && branchId === undefined
}
