import type { LoggedRecord, Query } from './event-log.ts'

/** A copy of a queue's row. It is needed because the row may be deleted before the ledger is checked. */
export interface QueueCut {
  id: string
  user_id: number
  cut_seq: number
  cut_snapshot: string
  event_types: string[] | null
  all_public_streams: boolean
}

/** Adds the rows of queues that are not in `cuts` yet. */
export async function readCuts(query: Query, cuts: Map<string, QueueCut>): Promise<void> {
  const rows = await query<QueueCut>(
    `select id, user_id::int, cut_seq::float8, cut_snapshot::text, options->'event_types' as event_types,
       coalesce((options->>'all_public_streams')::boolean, false) as all_public_streams
     from event_queue where id <> all ($1)`,
    [[...cuts.keys()]],
  )
  for (const row of rows) cuts.set(row.id, row)
}

/** Returns a predicate that says whether the queue's registered state includes a record. */
export function createStateFilter({ cut_seq, cut_snapshot }: QueueCut): (record: LoggedRecord) => boolean {
  const [xmin = 0, xmax = 0] = cut_snapshot.split(':').map(Number)
  const running = new Set(cut_snapshot.split(':')[2]?.split(',').map(Number))
  const isVisible = (tx: number) => tx < xmin || (tx < xmax && !running.has(tx))
  return ({ seq, tx }) => seq <= cut_seq || isVisible(tx)
}
