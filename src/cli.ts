#!/usr/bin/env node
// Node keeps the compiled code of what is imported from here on, so that the next start need not compile it.
// Versions before 22.3 lack one of the two functions and start without.
const module = process.getBuiltinModule?.('node:module')
if (
  module !== undefined &&
  'enableCompileCache' in module &&
  typeof module.enableCompileCache === 'function'
) {
  module.enableCompileCache()
}

const { main } = await import('./main.ts')
await main(process.argv.slice(2))
