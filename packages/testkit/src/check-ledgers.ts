import { isDeepStrictEqual } from 'node:util'
import { createAudienceFilter, createDueFilter, type Periods, readPeriods } from './due-records.ts'
import { type Hole, isInHole, type LoggedRecord, type Query, readLog } from './event-log.ts'
import type { LedgerClient, LedgerSection } from './ledger-client.ts'
import type { QueueCut } from './queue-cuts.ts'

export interface LedgerCheck {
  ledgers: number
  /** Number of deliveries that the log requires, in all ledgers together. */
  events: number
  missing: number
  duplicateEvents: number
  /** Ids that are not higher than the id before them. */
  disorder: number
  /**
   * Events that the registered state already included, that are for another account, or that do not
   * exist.
   */
  unexpected: number
  /** Events whose body differs from the log. */
  altered: number
  /** Queues that ended with BAD_EVENT_QUEUE_ID. */
  dead: number
  /** Dead queues whose row still exists and whose cursor was not lost in a failover. */
  deadWithoutReason: number
}

/**
 * Compares every ledger with the deliveries that PostgreSQL's log requires, from the queue's cut up to `upTo`.
 * All clients must have stopped or reached `upTo` before the call.
 */
export async function checkLedgers(
  query: Query,
  clients: readonly LedgerClient[],
  cuts: ReadonlyMap<string, QueueCut>,
  upTo: number,
): Promise<LedgerCheck> {
  const sections = clients.flatMap((client) => client.sections)
  const first = Math.min(...sections.map((section) => section.after))
  const { records, holes } = await readLog(query, first, upTo)
  const periods = await readPeriods(query)
  const isSame = createBodyComparison(periods)
  const surviving = new Set((await query<{ id: string }>('select id from event_queue')).map(({ id }) => id))
  const check: LedgerCheck = {
    ledgers: sections.length,
    events: 0,
    missing: 0,
    duplicateEvents: 0,
    disorder: 0,
    unexpected: 0,
    altered: 0,
    dead: 0,
    deadWithoutReason: 0,
  }
  for (const section of sections) {
    const cut = cuts.get(section.queue_id)
    if (!cut) {
      // The row was never found, so the queue existed only in a database that was lost.
      if (!section.isDead || section.entries.length > 0) check.deadWithoutReason++
      continue
    }
    const isDue = createDueFilter(cut, periods)
    const end = section.isDead ? (section.entries.at(-1)?.id ?? section.after) : upTo
    const due = new Map(
      records
        .filter((record) => record.seq > section.after && record.seq <= end && isDue(record))
        .map((record) => [record.seq, record]),
    )
    checkSection(check, section, due, holes, (record, body) => isSame(record, body, cut.user_id), upTo)
    if (section.isDead) {
      check.dead++
      const isLost = isInHole(holes, end) || !surviving.has(section.queue_id)
      if (!isLost) check.deadWithoutReason++
    }
  }
  return check
}

function checkSection(
  check: LedgerCheck,
  section: LedgerSection,
  due: ReadonlyMap<number, LoggedRecord>,
  holes: Hole[],
  isSame: (record: LoggedRecord, body: string) => boolean,
  upTo: number,
): void {
  const seenSeqs = new Set<number>()
  let previous = section.after
  for (const { id, body } of section.entries) {
    if (id > upTo) break
    if (seenSeqs.has(id)) check.duplicateEvents++
    else if (id <= previous) check.disorder++
    previous = Math.max(previous, id)
    seenSeqs.add(id)
    if (body === null) continue
    const record = due.get(id)
    if (record && !isSame(record, body)) check.altered++
    // A queue that ended with the failover may have delivered events of the lost database.
    if (!record && !(section.isDead && isInHole(holes, id))) check.unexpected++
  }
  check.events += due.size
  for (const id of due.keys()) if (!seenSeqs.has(id)) check.missing++
}

/**
 * Returns a function that compares a body with the log. A body that many accounts received is
 * compared only once.
 */
function createBodyComparison(periods: Periods) {
  const verdicts = new Map<string, Map<string, boolean>>()
  return (record: LoggedRecord, body: string, user: number): boolean => {
    const own = ownFields(record, user, periods)
    const key = `${record.seq} ${JSON.stringify(own)}`
    const verdictByBody = verdicts.get(key) ?? new Map<string, boolean>()
    verdicts.set(key, verdictByBody)
    const verdict =
      verdictByBody.get(body) ??
      isDeepStrictEqual(JSON.parse(body), { ...commonFields(record), ...own, id: record.seq })
    verdictByBody.set(body, verdict)
    return verdict
  }
}

function commonFields({ header, event }: LoggedRecord): object {
  if (header.type !== 'message') return event
  const { rendered_content, isAvatarExternal, ...message } = event.message as Record<string, unknown>
  return { ...event, message: { ...message, content_type: 'text/x-markdown' } }
}

function ownFields(record: LoggedRecord, user: number, periods: Periods): object | undefined {
  const { type, parts, flags, flagsOfAll } = record.header
  if (type !== 'message') return parts?.[user]
  return { flags: createAudienceFilter(user, periods)(record) ? (flags?.[user] ?? flagsOfAll ?? []) : [] }
}
