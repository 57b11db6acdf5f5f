import { isDeepStrictEqual } from 'node:util'
import { audienceOf, dueTo, type Periods, readPeriods } from './due-records.ts'
import { type Hole, inHole, type LoggedRecord, type Query, readLog } from './event-log.ts'
import type { LedgerClient, LedgerSection } from './ledger-client.ts'
import type { QueueCut } from './queue-cuts.ts'

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
  const periods = await readPeriods(query)
  const isSame = bodyTest(periods)
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
    const isDue = dueTo(cut, periods)
    const end = section.isDead ? (section.entries.at(-1)?.id ?? section.after) : upTo
    const due = new Map(
      records
        .filter((each) => each.seq > section.after && each.seq <= end && isDue(each))
        .map((each) => [each.seq, each]),
    )
    checkSection(check, section, due, holes, (record, body) => isSame(record, body, cut.user_id), upTo)
    if (section.isDead) {
      check.dead++
      const isLost = inHole(holes, end) || !surviving.has(section.queue_id)
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
    if (record && !isSame(record, body)) check.altered++
    // What the lost database said is no concern of a client that was told to begin anew.
    if (!record && !(section.isDead && inHole(holes, id))) check.uncalledFor++
  }
  check.events += due.size
  for (const id of due.keys()) if (!seen.has(id)) check.missing++
}

/** Whether a body is what the log says; what many accounts got is compared once. */
function bodyTest(periods: Periods) {
  const verdicts = new Map<string, Map<string, boolean>>()
  return (record: LoggedRecord, body: string, user: number): boolean => {
    const own = ownFields(record, user, periods)
    const key = `${record.seq} ${JSON.stringify(own)}`
    const known = verdicts.get(key) ?? new Map<string, boolean>()
    verdicts.set(key, known)
    const verdict =
      known.get(body) ??
      isDeepStrictEqual(JSON.parse(body), { ...commonFields(record), ...own, id: record.seq })
    known.set(body, verdict)
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
  return { flags: audienceOf(user, periods)(record) ? (flags?.[user] ?? flagsOfAll ?? []) : [] }
}
