import type { Perspective } from './prompts.ts'
import type { Source } from './research.ts'

/** Sources that an answer lists. */
const MAX_SOURCES = 20

/** The answer where the final synthesis gave none: what the specialists found, side by side. */
export function joinPerspectives(perspectives: readonly Perspective[]): string {
  const parts = perspectives.map(
    ({ name, text }) => `## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${text}`,
  )
  return [
    'The final synthesis failed, so these are the findings of the specialists, not yet weighed against one another.',
    ...parts,
  ].join('\n\n')
}

/** Lists the pages that were found, those that the answer or a finding names first. */
export function withSources(
  answer: string,
  perspectives: readonly Perspective[],
  sources: ReadonlyMap<string, Source>,
): string {
  if (sources.size === 0) return answer
  const texts = [answer, ...perspectives.map(({ text }) => text)]
  const isNamed = ({ url }: Source) => texts.some((text) => text.includes(url))
  const all = [...sources.values()]
  const listed = [...all.filter(isNamed), ...all.filter((source) => !isNamed(source))].slice(0, MAX_SOURCES)
  return `${answer}\n\nSources:\n${listed.map(({ title, url }) => `- ${title}: ${url}`).join('\n')}`
}
