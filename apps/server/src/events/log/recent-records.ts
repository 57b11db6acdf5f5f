import { Role, type UserId } from '@oxbow/contract'
import type { LogRecord } from '../record.ts'

/** The index keys under which a reader's records are found. */
export interface Interests {
  user: UserId
  roles: Iterable<Role>
  streams: Iterable<number>
  allPublic: boolean
}

/** With at most this many records, scanning all of them is faster than merging the lists of the index. */
const maxScannedRecords = 32

/**
 * Stores the newest records of an organization's log, with an index that finds a reader's records without a
 * full scan.
 */
export class RecentRecords {
  /** All records with a number above this are stored, and none up to it. */
  startsAfter: number
  bytes = 0
  #all = new PostingList()
  readonly #lists = new Map<string, PostingList>()

  constructor(since: number) {
    this.startsAfter = since
  }

  add(record: LogRecord): void {
    this.#all.add(record)
    this.bytes += estimateRecordBytes(record)
    for (const key of indexKeys(record)) {
      const list = this.#lists.get(key) ?? new PostingList()
      this.#lists.set(key, list)
      list.add(record)
    }
  }

  /**
   * Adds `older`, the records after `since` up to `until`, before those already stored. Does nothing if
   * `startsAfter` is no longer `until`.
   */
  prepend(since: number, until: number, older: readonly LogRecord[]): void {
    if (this.startsAfter !== until) return
    const newer = [...this.#all.after(until)]
    this.#all = new PostingList()
    this.#lists.clear()
    this.bytes = 0
    this.startsAfter = since
    for (const record of older) this.add(record)
    for (const record of newer) this.add(record)
  }

  /** Drops the oldest record. Returns the freed bytes; 0 if there are no records. */
  dropOldest(): number {
    const record = this.#all.dropFirst()
    if (!record) return 0
    for (const key of indexKeys(record)) {
      const list = this.#lists.get(key)
      list?.dropFirst()
      if (list?.size === 0) this.#lists.delete(key)
    }
    this.startsAfter = record.seq
    const freed = estimateRecordBytes(record)
    this.bytes -= freed
    return freed
  }

  /**
   * Returns the records after `seq` that the reader could get, in order, without duplicates. May include
   * records that the reader does not get.
   */
  candidates(seq: number, interests: Interests): LogRecord[] {
    if (this.#all.countAfter(seq) <= maxScannedRecords) return [...this.#all.after(seq)]
    const found = new Set<LogRecord>()
    for (const key of interestingKeys(interests)) {
      for (const record of this.#lists.get(key)?.after(seq) ?? []) found.add(record)
    }
    return [...found].sort((a, b) => a.seq - b.seq)
  }
}

/**
 * Estimates the memory of a record: the event as stored and as rendered, and the lists of ids in its header.
 * Two more copies are assumed for message events, because they are also parsed and cached with flags.
 */
export const estimateRecordBytes = ({
  event,
  header: { to, parts, flags, echo, effects },
}: LogRecord): number =>
  300 +
  (flags ? 4 : 2) * (event?.length ?? 0) +
  40 * ((to?.users?.length ?? 0) + (to?.except?.length ?? 0) + (to?.guests?.users?.length ?? 0)) +
  8 * (to?.guests?.streams?.length ?? 0) +
  8 * (effects?.reduce((sum, effect) => sum + ('users' in effect ? effect.users.length : 0), 0) ?? 0) +
  200 * (keyCount(parts) + keyCount(flags)) +
  (echo ? 200 + 2 * echo.local_id.length : 0)

const keyCount = (map: object | undefined): number => (map ? Object.keys(map).length : 0)

function indexKeys({ header: { to, isPublic, effects } }: LogRecord): Set<string> {
  const keys = new Set<string>()
  if (to?.roles === 'everyone') keys.add('everyone')
  else for (const role of to?.roles ?? []) keys.add(`role ${role}`)
  if (to?.stream !== undefined) keys.add(`stream ${to.stream}`)
  if (isPublic) keys.add('public')
  for (const user of to?.users ?? []) keys.add(`user ${user}`)
  if (to?.guests) {
    const { streams, users, inverted } = to.guests
    for (const user of users ?? []) keys.add(`user ${user}`)
    if (streams || inverted) keys.add(`role ${Role.guest}`)
  }
  // Every reader must find the records that end queues.
  if (effects?.some(({ kind }) => kind === 'role' || kind === 'queues')) keys.add('everyone')
  return keys
}

function* interestingKeys({ user, roles, streams, allPublic }: Interests): Generator<string> {
  yield 'everyone'
  yield `user ${user}`
  for (const role of roles) yield `role ${role}`
  for (const stream of streams) yield `stream ${stream}`
  if (allPublic) yield 'public'
}

/**
 * Records that share an index key, in log order. Records are added at the end and dropped at the beginning.
 */
export class PostingList {
  #records: LogRecord[] = []
  #start = 0

  get size(): number {
    return this.#records.length - this.#start
  }

  add(record: LogRecord): void {
    this.#records.push(record)
  }

  dropFirst(): LogRecord | undefined {
    const record = this.#records[this.#start]
    if (!record) return undefined
    this.#start++
    // The list is copied only when at least half of it was dropped, so each record is copied about once.
    if (this.#start > 64 && this.#start * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#start)
      this.#start = 0
    }
    return record
  }

  /** Yields records with a number above `seq`. */
  *after(seq: number): Generator<LogRecord> {
    for (let index = this.#indexAfter(seq); index < this.#records.length; index++) {
      yield this.#records[index] as LogRecord
    }
  }

  countAfter(seq: number): number {
    return this.#records.length - this.#indexAfter(seq)
  }

  #indexAfter(seq: number): number {
    let low = this.#start
    let high = this.#records.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#records[middle] as LogRecord).seq <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
