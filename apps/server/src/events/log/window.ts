import type { Role, UserId } from '@oxbow/contract'
import type { LogRecord } from '../record.ts'
import { PostingList } from './posting-list.ts'

/** What a reader could be meant by. */
export interface Interests {
  user: UserId
  roles: Iterable<Role>
  streams: Iterable<number>
  allPublic: boolean
}

/** So few that looking at each is faster than looking them up. */
const few = 32

/** The newest records of an organization's log, with an index, so that a reader's are found without walking all of them. */
export class Window {
  /** Every record with a number above this is here. */
  since: number
  bytes = 0
  #all = new PostingList()
  readonly #lists = new Map<string, PostingList>()

  constructor(since: number) {
    this.since = since
  }

  add(record: LogRecord): void {
    this.#all.add(record)
    this.bytes += sizeOf(record)
    for (const key of keysOf(record)) {
      const list = this.#lists.get(key) ?? new PostingList()
      this.#lists.set(key, list)
      list.add(record)
    }
  }

  /** Puts older records before the ones that are here, unless the window moved meanwhile. */
  reachBack(since: number, until: number, older: readonly LogRecord[]): void {
    if (this.since !== until) return
    const newer = [...this.#all.after(until)]
    this.#all = new PostingList()
    this.#lists.clear()
    this.bytes = 0
    this.since = since
    for (const record of older) this.add(record)
    for (const record of newer) this.add(record)
  }

  /** Returns how many bytes became free; 0 when there is nothing to drop. */
  dropOldest(): number {
    const record = this.#all.dropFirst()
    if (!record) return 0
    for (const key of keysOf(record)) {
      const list = this.#lists.get(key)
      list?.dropFirst()
      if (list?.size === 0) this.#lists.delete(key)
    }
    this.since = record.seq
    const freed = sizeOf(record)
    this.bytes -= freed
    return freed
  }

  /** Records after `seq` that could be meant for such a reader, in order, each once. */
  candidates(seq: number, interests: Interests): LogRecord[] {
    if (this.#all.countAfter(seq) <= few) return [...this.#all.after(seq)]
    const found = new Set<LogRecord>()
    for (const key of interestingKeys(interests)) {
      for (const record of this.#lists.get(key)?.after(seq) ?? []) found.add(record)
    }
    return [...found].sort((a, b) => a.seq - b.seq)
  }
}

/**
 * An estimate: the event once as it was written and once as it is sent, and the lists of ids in its header. Messages are
 * parsed too, and kept with and without the flags that most have.
 */
export const sizeOf = ({ event, header: { to, parts, flags, echo, effects } }: LogRecord): number =>
  300 +
  (flags ? 4 : 2) * (event?.length ?? 0) +
  40 * ((to?.users?.length ?? 0) + (to?.except?.length ?? 0)) +
  8 * (effects?.reduce((sum, effect) => sum + ('users' in effect ? effect.users.length : 0), 0) ?? 0) +
  200 * (keyCount(parts) + keyCount(flags)) +
  (echo ? 200 + 2 * echo.local_id.length : 0)

const keyCount = (map: object | undefined): number => (map ? Object.keys(map).length : 0)

function keysOf({ header: { to, isPublic, effects } }: LogRecord): Set<string> {
  const keys = new Set<string>()
  if (to?.roles === 'everyone') keys.add('everyone')
  else for (const role of to?.roles ?? []) keys.add(`role ${role}`)
  if (to?.stream !== undefined) keys.add(`stream ${to.stream}`)
  if (isPublic) keys.add('public')
  for (const user of to?.users ?? []) keys.add(`user ${user}`)
  // Records that end queues must be met by everyone who reads on from before them.
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
