#!/usr/bin/env node
import module from 'node:module'

// Node keeps the compiled code of what is imported from here on, so that the next start need not compile it.
// Node 20 lacks the function and starts without.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache()

const { main } = await import('./main.ts')
await main(process.argv.slice(2))
