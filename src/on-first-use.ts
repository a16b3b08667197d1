/** Makes a value when it is first asked for, so that a start does not wait for what only a call needs. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** An object whose members are made one by one, each when it is first read. */
export function eachOnFirstUse<T>(makers: Readonly<Record<string, () => T>>): Readonly<Record<string, T>> {
  const made = new Map<string | symbol, T>()
  return new Proxy<Record<string, T>>(
    {},
    {
      get(_members, name) {
        const make = typeof name === 'string' && Object.hasOwn(makers, name) ? makers[name] : undefined
        if (make !== undefined && !made.has(name)) made.set(name, make())
        return made.get(name)
      },
    },
  )
}
