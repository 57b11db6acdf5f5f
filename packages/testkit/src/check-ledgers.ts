import { isDeepStrictEqual } from 'node:util'
import type { TestDatabase } from './databases.ts'
import type { LedgerClient, LedgerSection } from './ledger-client.ts'

type Query = TestDatabase['query']

export interface LedgerCheck {
  ledgers: number
  /** Deliveries that had to happen. */
  events: number
  missing: number
  duplicates: number
  /** An id that is not above the one before it. */
  disorder: number
  /** Delivered without being due: the state had it, or it is someone else's, or no such event exists. */
  uncalledFor: number
  /** Another body than the log has. */
  altered: number
  /** Queues that ended, and those of them that had no reason to. */
  dead: number
  deadWithoutReason: number
}

/** A queue's row, kept here because it may be gone when its ledger is looked at. */
export interface QueueCut {
  id: string
  user_id: number
  cut_seq: number
  cut_snapshot: string
  event_types: string[] | null
}

interface LoggedRecord {
  seq: number
  tx: number
  outboxId: number
  header: {
    type?: string
    to?: { users?: number[]; roles?: number[] | 'everyone'; except?: number[]; asOf?: number }
    parts?: Record<number, object>
  }
  event: Record<string, unknown>
  /** Bodies that were compared already. */
  verdicts: Map<string, boolean>
}

interface Hole {
  first: number
  last: number
}

interface Period {
  user_id: number
  role: number
  from: number
  to: number | null
}

export async function readCuts(query: Query, known: Map<string, QueueCut>): Promise<void> {
  const rows = await query<QueueCut>(
    `select id, user_id::int, cut_seq::float8, cut_snapshot::text, options->'event_types' as event_types
     from event_queue where id <> all ($1)`,
    [[...known.keys()]],
  )
  for (const row of rows) known.set(row.id, row)
}

/** What PostgreSQL says must have been delivered, beside what was: for every queue, from its cut up to `upTo`. */
export async function checkLedgers(
  query: Query,
  clients: readonly LedgerClient[],
  cuts: ReadonlyMap<string, QueueCut>,
  upTo: number,
): Promise<LedgerCheck> {
  const sections = clients.flatMap((client) => client.sections)
  const first = Math.min(...sections.map((section) => section.after))
  const { records, holes } = await readLog(query, first, upTo)
  const periods = Map.groupBy(await readRolePeriods(query), (period) => period.user_id)
  const surviving = new Set((await query<{ id: string }>('select id from event_queue')).map(({ id }) => id))
  const check: LedgerCheck = {
    ledgers: sections.length,
    events: 0,
    missing: 0,
    duplicates: 0,
    disorder: 0,
    uncalledFor: 0,
    altered: 0,
    dead: 0,
    deadWithoutReason: 0,
  }
  for (const section of sections) {
    const cut = cuts.get(section.queue_id)
    if (!cut) {
      // Its row was never seen: it lived for a moment in a database that was lost.
      if (!section.isDead || section.entries.length > 0) check.deadWithoutReason++
      continue
    }
    const isDue = dueTo(cut, periods.get(cut.user_id) ?? [])
    const end = section.isDead ? (section.entries.at(-1)?.id ?? section.after) : upTo
    const due = new Map(
      records
        .filter((each) => each.seq > section.after && each.seq <= end && isDue(each))
        .map((each) => [each.seq, each]),
    )
    checkSection(check, section, due, holes, cut.user_id, upTo)
    if (section.isDead) {
      check.dead++
      const isLost = inHole(holes, end) || !surviving.has(section.queue_id)
      if (!isLost) check.deadWithoutReason++
    }
  }
  return check
}

/** The newest record whose event holds this text. */
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

function checkSection(
  check: LedgerCheck,
  section: LedgerSection,
  due: ReadonlyMap<number, LoggedRecord>,
  holes: Hole[],
  user: number,
  upTo: number,
): void {
  const seen = new Set<number>()
  let previous = section.after
  for (const { id, body } of section.entries) {
    if (id > upTo) break
    if (seen.has(id)) check.duplicates++
    else if (id <= previous) check.disorder++
    previous = Math.max(previous, id)
    seen.add(id)
    if (body === null) continue
    const record = due.get(id)
    if (record && !isSame(record, body, user)) check.altered++
    // What the lost database said is no concern of a client that was told to begin anew.
    if (!record && !(section.isDead && inHole(holes, id))) check.uncalledFor++
  }
  check.events += due.size
  for (const id of due.keys()) if (!seen.has(id)) check.missing++
}

function dueTo(cut: QueueCut, periods: Period[]): (record: LoggedRecord) => boolean {
  const isVisible = snapshotTest(cut.cut_snapshot)
  return ({ seq, tx, outboxId, header }) => {
    const { type, to } = header
    if (!type || !to || seq <= cut.cut_seq || isVisible(tx)) return false
    if (cut.event_types && !cut.event_types.includes(type)) return false
    if (to.except?.includes(cut.user_id)) return false
    if (to.users?.includes(cut.user_id)) return true
    const at = to.asOf ?? outboxId
    const role = periods.find((each) => each.from <= at && (each.to === null || at < each.to))?.role
    return role !== undefined && (to.roles === 'everyone' || (to.roles?.includes(role) ?? false))
  }
}

/** Whether a transaction was part of what this snapshot shows. */
function snapshotTest(snapshot: string): (tx: number) => boolean {
  const [xmin = 0, xmax = 0] = snapshot.split(':').map(Number)
  const running = new Set(snapshot.split(':')[2]?.split(',').map(Number))
  return (tx) => tx < xmin || (tx < xmax && !running.has(tx))
}

function isSame({ seq, header, event, verdicts }: LoggedRecord, body: string, user: number): boolean {
  const part = header.parts?.[user]
  const known = part ? undefined : verdicts.get(body)
  if (known !== undefined) return known
  const verdict = isDeepStrictEqual(JSON.parse(body), { ...event, ...part, id: seq })
  if (!part) verdicts.set(body, verdict)
  return verdict
}

const inHole = (holes: Hole[], id: number): boolean =>
  holes.some((hole) => id >= hole.first && id <= hole.last)

async function readLog(query: Query, after: number, upTo: number) {
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
    for (const [tx, outboxId, width, header, event] of JSON.parse(packed ?? '[]')) {
      seq += width
      records.push({ seq, tx, outboxId, header, event: JSON.parse(event), verdicts: new Map() })
    }
  }
  return { records, holes }
}

async function readRolePeriods(query: Query): Promise<Period[]> {
  return query(
    `select user_id::int, role::int, from_outbox_id::float8 as from, to_outbox_id::float8 as to from role_period`,
  )
}
