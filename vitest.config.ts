import { defineConfig } from 'vitest/config'
import manifest from './package.json' with { type: 'json' }

export default defineConfig({
  // The bundle gets this constant at build time; tests that import src need it too.
  define: { __SEQTHINK_VERSION__: JSON.stringify(manifest.version) },
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'threads',
    // Much of the time goes into child processes, so that no core has to be kept free.
    maxWorkers: '100%',
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results/vitest.json' },
  },
})
