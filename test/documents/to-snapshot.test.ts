import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { chainSnapshotSchema } from '../../src/documents/chain-snapshot.ts'
import { toJson } from '../../src/documents/to-json.ts'
import { step } from '../helpers.ts'
import { hostileTexts } from './hostile-texts.ts'
import { INVESTIGATION, LONG_CHAIN, snapshotOf } from './sample-chains.ts'

const isChain = new Ajv2020().compile(z.toJSONSchema(chainSnapshotSchema))

test('every snapshot follows the published schema and loses nothing in JSON', () => {
  const chains = [
    snapshotOf(INVESTIGATION),
    snapshotOf(LONG_CHAIN, { maxChainLength: 11 }),
    snapshotOf(LONG_CHAIN, { maxChainLength: 11 }, 20),
    snapshotOf(LONG_CHAIN, { maxSteps: 10 }),
    ...hostileTexts().map((thought) => snapshotOf([step(1, { thought }), step(2, { thought })])),
  ]
  for (const chain of chains) {
    expect(isChain(JSON.parse(JSON.stringify(chain))), JSON.stringify(isChain.errors)).toBe(true)
    expect(chainSnapshotSchema.strict().parse(JSON.parse(toJson(chain)))).toEqual(chain)
  }
})

test('a snapshot shows versions with their times under the present text', () => {
  const { main } = snapshotOf(INVESTIGATION)
  expect(main.thoughts[2]).toEqual({
    thoughtNumber: 3,
    thought: 'The index is there: EXPLAIN shows an index scan.',
    totalThoughts: 5,
    revisionNumber: 1,
    recorded: '2026-12-01T09:00:07.000Z',
    versions: [
      {
        revisionNumber: 0,
        thought: 'The index is missing.',
        totalThoughts: 5,
        recorded: '2026-12-01T09:00:02.000Z',
      },
    ],
  })
})

test('a snapshot marks thoughts that are older than a revision that they build on', () => {
  const { main, branches } = snapshotOf(INVESTIGATION)
  const stale = [main, ...branches].flatMap(({ thoughts }) => thoughts.filter(({ isStale }) => isStale))
  expect(stale.map(({ branchId, thoughtNumber }) => [branchId, thoughtNumber])).toEqual([
    ['network', 3],
    ['network', 4],
    ['pool', 4],
  ])
})

test('a snapshot shows the thoughts behind the summary with their versions, and what was dropped', () => {
  const { summary, dropped } = snapshotOf(LONG_CHAIN, { maxChainLength: 11 })
  expect(summary?.thoughts.map(({ thoughtNumber, branchId }) => [thoughtNumber, branchId])).toContainEqual([
    3,
    'side',
  ])
  expect(summary?.thoughts.find(({ thoughtNumber }) => thoughtNumber === 3)?.versions).toMatchObject([
    { revisionNumber: 0, thought: 'Idea 3' },
  ])
  expect(dropped).toBeUndefined()
  expect(snapshotOf(LONG_CHAIN, { maxChainLength: 11 }, 20).dropped).toMatchObject({ texts: 8, chars: 89 })
})
