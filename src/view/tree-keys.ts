/** What the arrow keys do in a tree, by the ARIA pattern. Every item carries its key in `data-key`. */
export function moveFocus(
  tree: HTMLElement,
  event: KeyboardEvent,
  onToggle: (key: string, isOpen: boolean) => void,
): void {
  const { target, key } = event
  if (!(target instanceof HTMLElement) || target.role !== 'treeitem') return
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const items = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const at = items.indexOf(target)
  const expanded = target.ariaExpanded
  const choose = (isOpen: boolean) => onToggle(target.dataset.key ?? '', isOpen)
  // An item may show its children while its own text is still cut.
  const toggle = () => choose(expanded !== 'true' || target.dataset.hasMore === 'true')
  const inside = target.nextElementSibling?.querySelector<HTMLElement>('[role=treeitem]')
  const above = target.closest('.group')?.previousElementSibling
  const isRightToLeft = getComputedStyle(tree).direction === 'rtl'
  const keys: Record<string, () => void> = {
    ArrowDown: () => items[at + 1]?.focus(),
    ArrowUp: () => items[at - 1]?.focus(),
    Home: () => items[0]?.focus(),
    End: () => items.at(-1)?.focus(),
    [isRightToLeft ? 'ArrowLeft' : 'ArrowRight']: () =>
      expanded === 'false' ? choose(true) : inside?.focus(),
    [isRightToLeft ? 'ArrowRight' : 'ArrowLeft']: () =>
      expanded === 'true' ? choose(false) : above instanceof HTMLElement && above.focus(),
    Enter: () => expanded !== null && toggle(),
    ' ': () => expanded !== null && toggle(),
  }
  const act = keys[key]
  if (act === undefined) return
  event.preventDefault()
  act()
}
