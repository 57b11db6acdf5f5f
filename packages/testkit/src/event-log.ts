import type { TestDatabase } from './databases.ts'

export type Query = TestDatabase['query']

export interface LoggedRecord {
  seq: number
  tx: number
  outboxId: number
  header: {
    type?: string
    to?: {
      users?: number[]
      roles?: number[] | 'everyone'
      stream?: number
      except?: number[]
      asOf?: number
    }
    isPublic?: boolean
    parts?: Record<number, object>
    flags?: Record<number, string[]>
    flagsOfAll?: string[]
  }
  event: Record<string, unknown>
}

/** Numbers that a failover skipped, because records with these numbers may have been lost. */
export interface Hole {
  first: number
  last: number
}

export interface EventLog {
  records: LoggedRecord[]
  holes: Hole[]
}

/**
 * Reads the log's records with numbers in (`after`, `upTo`] from PostgreSQL, without using code of
 * the server.
 */
export async function readLog(query: Query, after: number, upTo: number): Promise<EventLog> {
  const batches = await query<{ first_seq: number; last_seq: number; records: string | null }>(
    `select first_seq::float8, last_seq::float8, records from event_batch
     where last_seq > $1 and first_seq <= $2 order by last_seq`,
    [after, upTo],
  )
  const holes: Hole[] = []
  const records: LoggedRecord[] = []
  for (const { first_seq, last_seq, records: packed } of batches) {
    if (packed === null) holes.push({ first: first_seq, last: last_seq })
    let seq = first_seq - 1
    for (const [tx, outboxId, eventCount, header, event] of JSON.parse(packed ?? '[]')) {
      seq += eventCount
      records.push({ seq, tx, outboxId, header, event: JSON.parse(event) })
    }
  }
  return { records, holes }
}

/** Finds the newest record whose event contains the text. */
export async function findLogged(query: Query, text: string): Promise<{ seq: number } | undefined> {
  const [batch] = await query<{ before: number; last: number }>(
    `select first_seq::float8 - 1 as before, last_seq::float8 as last from event_batch
     where strpos(records, $1) > 0 order by last_seq desc limit 1`,
    [text],
  )
  if (!batch) return undefined
  const { records } = await readLog(query, batch.before, batch.last)
  return records.findLast(({ event }) => JSON.stringify(event).includes(text))
}

/**
 * Returns whether a cursor may include lost events. The last number of a hole is valid, because new
 * queues start there.
 */
export const isInHole = (holes: Hole[], id: number): boolean =>
  holes.some((hole) => id >= hole.first && id < hole.last)
