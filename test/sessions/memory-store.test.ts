import { createMemoryStore } from '../../src/sessions/memory-store.ts'
import { describeStore } from './store-contract.ts'

describeStore('the memory store', async (options) => createMemoryStore(options))
