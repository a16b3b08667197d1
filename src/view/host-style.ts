import type { HostContext } from './host.ts'

/** Takes over the host's theme, its CSS variables and the edges that it covers. */
export function applyContext({ theme, variables = {}, insets }: HostContext): void {
  const { style, dataset } = document.documentElement
  if (theme !== undefined) dataset.theme = theme
  for (const [name, value] of Object.entries(variables)) style.setProperty(name, value)
  if (insets !== undefined) document.body.style.padding = insets.map((px) => `${px}px`).join(' ')
}
