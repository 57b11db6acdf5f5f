import type { Db } from '../../platform/database/database.ts'
import { ends, isFor } from '../delivery/match.ts'
import type { Queue } from '../delivery/queue.ts'
import { type LogRecord, unpackBatch } from '../record.ts'
import type { OrganizationLog } from './organization-log.ts'
import { areGapless, readBatchesBetween } from './read-log.ts'

export interface Found {
  records: LogRecord[]
  /** Everything up to here was looked at. */
  scannedTo: number
  isEnded: boolean
}

/** More events than this in one answer help nobody: the client asks again at once. */
export const mostEvents = 2_000
/** How far back the window is made to reach for those who come from another node; further back, each reads alone. */
const farthest = 20_000
const step = 2_000

/**
 * The queue's records from `from` to where the window begins, or the first of them. Where that is not far, the window
 * is made to reach back instead, and nothing is returned.
 */
export async function readBefore(
  db: Db,
  organization: OrganizationLog,
  queue: Queue,
  from: number,
): Promise<Found> {
  if (organization.position - from <= farthest) await extendWindow(db, organization, from)
  let scannedTo = from
  while (scannedTo < organization.window.since) {
    const after = scannedTo
    const batches = await readBatchesBetween(db, organization.id, after, organization.window.since)
    if (batches.length === 0 || !areGapless(batches, after)) return { records: [], scannedTo, isEnded: true }
    const found = choose(
      queue,
      batches.flatMap(unpackBatch).filter(({ seq }) => seq > after),
    )
    if (found.records.length > 0 || found.isEnded) return found
    scannedTo = batches.at(-1)?.last_seq ?? scannedTo
  }
  return { records: [], scannedTo, isEnded: false }
}

/** From memory alone. The caller knows that the window reaches back to `from`. */
export function readWindow(organization: OrganizationLog, queue: Queue, from: number): Found {
  const { account, options } = queue
  const candidates = organization.window.candidates(from, {
    user: account.user_id,
    roles: account.roles.values(),
    streams: account.streams.keys(),
    allPublic: options.all_public_streams,
  })
  const found = choose(queue, candidates)
  return found.isWhole ? { ...found, scannedTo: organization.position } : found
}

/** Whole: none was left out because there were too many. */
function choose(queue: Queue, candidates: readonly LogRecord[]): Found & { isWhole: boolean } {
  const records: LogRecord[] = []
  let events = 0
  for (const record of candidates) {
    if (ends(queue, record)) return { records: [], scannedTo: record.seq, isEnded: true, isWhole: true }
    if (!isFor(queue, record)) continue
    records.push(record)
    events += record.width
    if (events >= mostEvents) return { records, scannedTo: record.seq, isEnded: false, isWhole: false }
  }
  return { records, scannedTo: candidates.at(-1)?.seq ?? -1, isEnded: false, isWhole: true }
}

const extending = new WeakMap<OrganizationLog, Promise<void>>()

/** Once for all who wait for it, and in large steps: thousands of queues may come at once, each from somewhere else. */
async function extendWindow(db: Db, organization: OrganizationLog, from: number): Promise<void> {
  // Where the window is being dropped as fast as it is extended, each reads alone.
  for (let attempt = 0; attempt < 3 && from < organization.window.since; attempt++) {
    const under = extending.get(organization) ?? extend(db, organization, from)
    extending.set(organization, under)
    await under.finally(() => extending.delete(organization))
  }
}

async function extend(db: Db, organization: OrganizationLog, from: number): Promise<void> {
  const { since } = organization.window
  const start = Math.max(organization.dropped, Math.min(from, since - step))
  const records: LogRecord[] = []
  let after = start
  while (after < since) {
    const batches = await readBatchesBetween(db, organization.id, after, since)
    const last = batches.at(-1)
    // What was dropped meanwhile is missed by whoever needs it when they read it themselves.
    if (!last || !areGapless(batches, after)) return
    records.push(...batches.flatMap(unpackBatch).filter(({ seq }) => seq > start && seq <= since))
    after = last.last_seq
  }
  organization.window.reachBack(start, since, records)
}
