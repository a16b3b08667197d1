/** Makes a value when it is first asked for, so that a start does not wait for what only a call needs. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
