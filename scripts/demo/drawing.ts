import { styleText } from 'node:util'
import wrapAnsi from 'wrap-ansi'

/** A thought as the server returns it in `thinkingHistory`. */
export interface DrawnThought {
  readonly thoughtNumber: number
  readonly thought: string
  readonly revisionNumber: number
  readonly branchId?: string | undefined
}

export interface DrawnBranch {
  readonly branchId: string
  readonly branchFromThought: number
}

type Style = Parameters<typeof styleText>[0]

interface Label {
  readonly style: Style
  readonly text: string
}

const WIDTH = 80
const LABEL_WIDTH = 16

const hasColour = process.stdout.isTTY === true && !process.env.NO_COLOR

function paint(style: Style, text: string): string {
  return hasColour ? styleText(style, text) : text
}

export function heading(text: string): string {
  return `${paint('bold', text)}\n${paint('dim', '─'.repeat(WIDTH))}`
}

/** A recorded step: its labels on the left, its text and what the server says about it on the right. */
export function drawStep(
  thought: DrawnThought & { readonly totalThoughts: number },
  notices: readonly string[],
): string {
  const labels: Label[] = [
    { style: 'bold', text: `thought ${thought.thoughtNumber} of ${thought.totalThoughts}` },
  ]
  if (thought.branchId !== undefined) labels.push({ style: 'cyan', text: `branch ${thought.branchId}` })
  if (thought.revisionNumber > 0) labels.push({ style: 'yellow', text: `revision ${thought.revisionNumber}` })
  const lines = [
    ...wrap(thought.thought, WIDTH - LABEL_WIDTH),
    ...notices.flatMap((notice) =>
      wrap(notice, WIDTH - LABEL_WIDTH - 2).map((line, index) =>
        paint('green', `${index === 0 ? '»' : ' '} ${line}`),
      ),
    ),
  ]
  const rows = Math.max(labels.length, lines.length)
  return Array.from({ length: rows }, (_, row) => beside(labels[row], lines[row] ?? '')).join('\n')
}

/** The chain from top to bottom; a branch stands to the right, below the thought that it leaves. */
export function drawChain(thoughts: readonly DrawnThought[], branches: readonly DrawnBranch[]): string {
  return drawLine(undefined, WIDTH).join('\n')

  function drawLine(branchId: string | undefined, width: number): string[] {
    const line = thoughts.filter((thought) => thought.branchId === branchId)
    return line.flatMap((thought, index) => {
      const rail = index === line.length - 1 ? '  ' : '│ '
      const forks = branches.filter(
        ({ branchFromThought }) => branchId === undefined && branchFromThought === thought.thoughtNumber,
      )
      return [
        ...drawThought(thought, width, rail),
        ...forks.flatMap((fork) => [
          `├─╮ ${paint('cyan', `branch ${fork.branchId}`)}`,
          ...drawLine(fork.branchId, width - 2).map((text) => `│ ${text}`),
        ]),
        ...(index === line.length - 1 ? [] : ['│']),
      ]
    })
  }
}

function drawThought({ thoughtNumber, thought, revisionNumber }: DrawnThought, width: number, rail: string) {
  const version = revisionNumber === 0 ? [] : [paint('yellow', `revision ${revisionNumber}`)]
  const [first = '', ...rest] = [...version, ...wrap(thought, width - 5)]
  return [`● ${paint('bold', `${thoughtNumber}`)}  ${first}`, ...rest.map((text) => `${rail}   ${text}`)]
}

function beside(label: Label | undefined, text: string): string {
  const margin = ' '.repeat(LABEL_WIDTH - (label?.text.length ?? 0))
  return `${label === undefined ? '' : paint(label.style, label.text)}${margin}${text}`.trimEnd()
}

function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true }).split('\n')
}
