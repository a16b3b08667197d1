/** Reports the size of `element` at once and whenever it changes. @returns what ends it */
export function watchSize(element: Element, report: (width: number, height: number) => void): () => void {
  let last = ''
  const observer = new ResizeObserver(() => {
    const { width, height } = element.getBoundingClientRect()
    const size = [Math.ceil(width), Math.ceil(height)] as const
    if (size.join() === last) return
    last = size.join()
    report(...size)
  })
  observer.observe(element)
  return () => observer.disconnect()
}
