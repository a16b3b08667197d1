/** One call of sequential_thinking, as the demo's model makes it. */
export interface Step {
  readonly thought: string
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  readonly revisionNumber?: number
  readonly branchFromThought?: number
  readonly branchId?: string
}

export const PROBLEM = 'The page of open orders takes 4 seconds. A month ago it was fast. Why?'

export const STEPS: readonly Step[] = [
  {
    thought:
      'The page takes 4.2 s, and 4.0 s of it go by in the database; web and database CPU are nearly idle. So it is either one statement that reads too much or many that each wait for the network.',
    thoughtNumber: 1,
    totalThoughts: 4,
    nextThoughtNeeded: true,
  },
  {
    thought:
      'The likely cause is a missing index: orders has grown to 8 million rows, and the page selects by status and sorts by created_at. EXPLAIN ANALYZE would then show a sequential scan.',
    thoughtNumber: 2,
    totalThoughts: 4,
    nextThoughtNeeded: true,
  },
  {
    thought:
      'So the fix is an index on (status, created_at), built with CREATE INDEX CONCURRENTLY so that writes go on. Before that, look at the plan and at the statement log of one request.',
    thoughtNumber: 3,
    totalThoughts: 4,
    nextThoughtNeeded: true,
  },
  {
    thought:
      'No index is missing: EXPLAIN ANALYZE shows an index scan of 6 ms. The log of one request shows the cause: 401 statements at 10 ms each. The ORM loads the customer and the items of each of the 200 orders lazily, 1 + 2 × 200 queries (n+1).',
    thoughtNumber: 2,
    totalThoughts: 4,
    nextThoughtNeeded: true,
    revisionNumber: 1,
  },
  {
    thought:
      'So the fix is in the SQL that the ORM generates: load customers with a join and all items with one WHERE order_id IN (…). That makes 2 statements of 401.',
    thoughtNumber: 3,
    totalThoughts: 5,
    nextThoughtNeeded: true,
    revisionNumber: 1,
  },
  {
    thought:
      'Alternative: cache the rendered page for 60 s. No query changes, and most visitors get it in 20 ms.',
    thoughtNumber: 3,
    totalThoughts: 5,
    nextThoughtNeeded: true,
    branchFromThought: 2,
    branchId: 'cache',
  },
  {
    thought:
      'The first visitor of every minute still waits 4 s, and the warehouse would see orders as open that are already packed. The cache hides the 401 statements and does not remove them, so it is dropped.',
    thoughtNumber: 4,
    totalThoughts: 5,
    nextThoughtNeeded: true,
    branchId: 'cache',
  },
  {
    thought:
      'Measured on staging with eager loading: 2 statements, 31 ms in the database, 240 ms for the page. The slowdown of the last month fits too: the page grew from 20 to 200 orders, and with it the statements from 41 to 401.',
    thoughtNumber: 4,
    totalThoughts: 5,
    nextThoughtNeeded: true,
  },
  {
    thought:
      'Conclusion: load customers and items eagerly, show 50 orders a page, and let a test fail when the page needs more than 5 statements. No new index, no cache.',
    thoughtNumber: 5,
    totalThoughts: 5,
    nextThoughtNeeded: false,
  },
]
