import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Kept small, because a batch may have several megabytes. */
const batchesPerStatement = 20

interface FoundBatch {
  organization_id: number
  last_seq: number
  records: string
}

/** A record as the log stores it; the last field is the event, as JSON text. */
type StoredRecord = [tx: number, id: number, eventCount: number, header: object, event: string | null]

/**
 * Replaces events in the log and in the outbox, and returns how many were replaced. `rewrite` gets the JSON
 * of each event that contains `text`, and returns the new JSON, or undefined to leave the event unchanged.
 * Running nodes keep the old events in memory.
 */
export async function rewriteRecords(
  db: Db,
  text: string,
  rewrite: (event: string) => string | undefined,
): Promise<number> {
  // The outbox comes first. Rows that move to the log meanwhile may be missed, so the caller repeats the
  // call.
  let count = await rewriteOutbox(db, text, rewrite)
  const { rows } = await sql<{ part: number }>`select part from event_part order by part`.execute(db)
  for (const { part } of rows) count += await rewritePart(db, part, text, rewrite)
  return count
}

async function rewriteOutbox(
  db: Db,
  text: string,
  rewrite: (event: string) => string | undefined,
): Promise<number> {
  const { rows } = await sql<{ id: number; event: string }>`
    select id, event from outbox where strpos(event, ${text}) > 0`.execute(db)
  let count = 0
  for (const { id, event } of rows) {
    const fresh = rewrite(event)
    if (fresh === undefined) continue
    await sql`update outbox set event = ${fresh} where id = ${id}`.execute(db)
    count++
  }
  return count
}

async function rewritePart(
  db: Db,
  part: number,
  text: string,
  rewrite: (event: string) => string | undefined,
): Promise<number> {
  // Events are JSON strings inside the JSON of their batch, so they are escaped once more.
  const escaped = JSON.stringify(text).slice(1, -1)
  let count = 0
  let last = { organization_id: 0, last_seq: 0 }
  for (;;) {
    const { rows } = await sql<FoundBatch>`
      select organization_id, last_seq, records from event_batch
      where part = ${part} and (organization_id, last_seq) > (${last.organization_id}, ${last.last_seq})
        and strpos(records, ${escaped}) > 0
      order by organization_id, last_seq limit ${batchesPerStatement}`.execute(db)
    for (const { organization_id, last_seq, records } of rows) {
      let replaced = 0
      const fresh = (JSON.parse(records) as StoredRecord[]).map(([tx, id, width, header, event]) => {
        const changed = event?.includes(text) ? rewrite(event) : undefined
        if (changed !== undefined) replaced++
        return [tx, id, width, header, changed ?? event]
      })
      if (replaced === 0) continue
      await sql`
        update event_batch set records = ${JSON.stringify(fresh)}
        where part = ${part} and organization_id = ${organization_id} and last_seq = ${last_seq}
          and records is not null`.execute(db)
      count += replaced
    }
    const end = rows.at(-1)
    if (!end || rows.length < batchesPerStatement) return count
    last = end
  }
}
