import type { Db } from '../../platform/database/database.ts'
import { endsQueue, shouldDeliver } from '../delivery/match.ts'
import type { Queue } from '../delivery/queue.ts'
import { type LogRecord, unpackBatch } from '../record.ts'
import type { OrganizationLog } from './organization-log.ts'
import { areGapless, readBatchesBetween } from './read-log.ts'

/** Records for one queue, found in a part of the log. */
export interface ScanResult {
  records: LogRecord[]
  /** The last number that was scanned. The queue gets no other records up to this number. */
  scannedTo: number
  /** Whether the queue ended within the scanned part, or events that it needs were dropped. */
  isEnded: boolean
}

/** Limit of one response; the client gets further events with its next poll. */
export const maxEventsPerResponse = 2_000
/**
 * If a cursor is at most this far behind the head, older records are loaded into memory, because many queues
 * may move here from another node at once. For an older cursor, the database is read for this queue only, and
 * the records are not kept in memory.
 */
const maxLoadedNumbers = 20_000
const minLoadedNumbers = 2_000

/**
 * Reads the queue's records after `from` that are too old to be in memory. If there are many, reads only the
 * first ones. If `from` is recent enough, loads all records after `from` into memory instead, and returns
 * none.
 */
export async function readOlderRecords(
  db: Db,
  organization: OrganizationLog,
  queue: Queue,
  from: number,
): Promise<ScanResult> {
  if (organization.position - from <= maxLoadedNumbers) await loadRecordsSince(db, organization, from)
  let scannedTo = from
  while (scannedTo < organization.recentRecords.startsAfter) {
    const after = scannedTo
    const batches = await readBatchesBetween(
      db,
      organization.id,
      after,
      organization.recentRecords.startsAfter,
    )
    if (batches.length === 0 || !areGapless(batches, after)) return { records: [], scannedTo, isEnded: true }
    const found = filterRecords(
      queue,
      batches.flatMap(unpackBatch).filter(({ seq }) => seq > after),
    )
    if (found.records.length > 0 || found.isEnded) return found
    scannedTo = batches.at(-1)?.last_seq ?? scannedTo
  }
  return { records: [], scannedTo, isEnded: false }
}

/** Reads the queue's records after `from` from memory, which must contain all of them. */
export function readRecentRecords(organization: OrganizationLog, queue: Queue, from: number): ScanResult {
  const { account, options } = queue
  const candidates = organization.recentRecords.candidates(from, {
    user: account.user_id,
    roles: account.roles.values(),
    streams: account.streams.keys(),
    allPublic: options.all_public_streams,
  })
  const found = filterRecords(queue, candidates)
  return found.isWhole ? { ...found, scannedTo: organization.position } : found
}

/**
 * Filters the candidates that the queue gets. `isWhole`: no record was left out because of
 * `maxEventsPerResponse`.
 */
function filterRecords(queue: Queue, candidates: readonly LogRecord[]): ScanResult & { isWhole: boolean } {
  const records: LogRecord[] = []
  let events = 0
  for (const record of candidates) {
    if (endsQueue(queue, record)) return { records: [], scannedTo: record.seq, isEnded: true, isWhole: true }
    if (!shouldDeliver(queue, record)) continue
    records.push(record)
    events += record.eventCount
    if (events >= maxEventsPerResponse)
      return { records, scannedTo: record.seq, isEnded: false, isWhole: false }
  }
  return { records, scannedTo: candidates.at(-1)?.seq ?? -1, isEnded: false, isWhole: true }
}

const loading = new WeakMap<OrganizationLog, Promise<void>>()

/**
 * Loads the records after `from` into memory, once for all callers and in large steps, because thousands of
 * queues may move here at once.
 */
async function loadRecordsSince(db: Db, organization: OrganizationLog, from: number): Promise<void> {
  // After three attempts, during which records were dropped as fast as they were loaded, the caller reads the
  // database.
  for (let attempt = 0; attempt < 3 && from < organization.recentRecords.startsAfter; attempt++) {
    const load = loading.get(organization) ?? loadRecords(db, organization, from)
    loading.set(organization, load)
    await load.finally(() => loading.delete(organization))
  }
}

async function loadRecords(db: Db, organization: OrganizationLog, from: number): Promise<void> {
  const { startsAfter } = organization.recentRecords
  const start = Math.max(organization.droppedTo, Math.min(from, startsAfter - minLoadedNumbers))
  const records: LogRecord[] = []
  let after = start
  while (after < startsAfter) {
    const batches = await readBatchesBetween(db, organization.id, after, startsAfter)
    const last = batches.at(-1)
    // Batches were dropped meanwhile. Queues that need them notice this by their own read.
    if (!last || !areGapless(batches, after)) return
    records.push(...batches.flatMap(unpackBatch).filter(({ seq }) => seq > start && seq <= startsAfter))
    after = last.last_seq
  }
  organization.recentRecords.prepend(start, startsAfter, records)
}
