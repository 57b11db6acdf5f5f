import { ApiError, type OrganizationId, type UserId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import type { DeferredWakeups } from '../delivery/deferred-wakeups.ts'
import { endsQueue, shouldDeliver } from '../delivery/match.ts'
import { Account, noRecords, type Queue } from '../delivery/queue.ts'
import type { YieldingQueue } from '../delivery/yielding-queue.ts'
import { type Batch, type Effect, type EffectOf, type LogRecord, unpackBatch } from '../record.ts'
import { RecentRecords } from './recent-records.ts'

/** Numbers, both inclusive, whose records a failover may have lost. A cursor inside is dead. */
interface Hole {
  first: number
  last: number
}

/**
 * Follows the log of one organization on a node: applies its records in order, each exactly once,
 * keeps the newest ones in memory, and hands each record to the listening queues that should get
 * it. All methods but `withAccount` are synchronous, so a caller that awaits nothing sees one
 * consistent position.
 */
export class OrganizationLog {
  readonly id: OrganizationId
  /**
   * Number of the last applied record. Every record up to it was offered to the queues that were
   * listening.
   */
  position: number
  /** Records up to this number are no longer in the database. Cursors below it are dead. */
  droppedTo: number
  /** The newest records, in memory. Replaced by an empty one after a hole. */
  recentRecords: RecentRecords
  /** Queues in memory, by id. Change only by `attach`, `detach` and `endQueue`. */
  readonly queues = new Map<string, Queue>()
  /**
   * Accounts whose queues are here or are being loaded. Change only by `withAccount`, `attach` and
   * `detach`.
   */
  readonly accounts = new Map<UserId, Account>()
  /**
   * Queues with a listener. Listeners add and remove their queue together with setting
   * `queue.listener`.
   */
  readonly listening = new Set<Queue>()
  /** Queues with `all_public_streams`. */
  readonly #allPublicQueues = new Set<Queue>()
  /** Accounts with queues here, by the streams they are or were subscribed to. */
  readonly #accountsByStream = new Map<number, Set<Account>>()
  /**
   * Accounts without a queue here. Most are still being read, so their streams are not known yet.
   */
  readonly #loadingAccounts = new Set<Account>()
  readonly #holes: Hole[]
  readonly #db: Db
  readonly #wake: YieldingQueue<Queue>
  readonly #rounds: DeferredWakeups
  readonly #invalidate: (effect: Effect | 'all') => void
  readonly #onFault: (error: unknown) => void
  /**
   * The newest time, by `performance.now()`, at which the position is known to have included every
   * commit.
   */
  confirmedAt = Number.NEGATIVE_INFINITY
  /** The head read from the database at `asOf`, while the position has not reached it. */
  #unconfirmedHead: { head: number; asOf: number } | undefined
  /**
   * When this node began to follow, by `performance.now()`. Reads begun earlier may miss an
   * invalidation.
   */
  readonly followedAt = performance.now()
  /** When a request last used the organization, by `performance.now()`. */
  usedAt = performance.now()

  constructor(options: {
    id: OrganizationId
    position: number
    droppedTo: number
    holes: Hole[]
    db: Db
    wake: YieldingQueue<Queue>
    rounds: DeferredWakeups
    forget: (effect: Effect | 'all') => void
    onFault: (error: unknown) => void
  }) {
    this.id = options.id
    this.position = options.position
    this.droppedTo = options.droppedTo
    this.recentRecords = new RecentRecords(options.position)
    this.#holes = options.holes
    this.#db = options.db
    this.#wake = options.wake
    this.#rounds = options.rounds
    this.#invalidate = options.forget
    this.#onFault = options.onFault
  }

  /**
   * Applies the batch. Returns false, and applies nothing, if records between the position and the
   * batch are missing.
   */
  receive(batch: Batch): boolean {
    if (batch.last_seq <= this.position) return true
    if (batch.first_seq > this.position + 1) return false
    if (batch.records === null) {
      this.#leaveHole({ first: batch.first_seq, last: batch.last_seq })
      return true
    }
    for (const record of unpackBatch(batch)) {
      if (record.seq <= this.position) continue
      this.position = record.seq
      this.#applyRecordOnce(record)
    }
    this.position = batch.last_seq
    this.#confirmIfReached()
    return true
  }

  /**
   * Skips records before `first` that were dropped from the database. Cursors in the skipped range
   * become dead.
   */
  skipTo(first: number): void {
    if (first <= this.position + 1) return
    this.droppedTo = Math.max(this.droppedTo, first - 1)
    this.#jumpTo(first - 1)
  }

  #leaveHole(hole: Hole): void {
    this.#holes.push(hole)
    this.#jumpTo(hole.last)
    for (const queue of this.queues.values()) if (isInside(hole, queue.cut.seq)) this.endQueue(queue)
    this.#discardAccounts()
  }

  /**
   * Drops all accounts, which may be outdated. Their listeners end without events, poll again and
   * reload them.
   */
  #discardAccounts(): void {
    for (const queue of [...this.queues.values()]) {
      queue.listener?.end()
      this.detach(queue)
    }
    this.accounts.clear()
    this.#accountsByStream.clear()
    this.#loadingAccounts.clear()
  }

  /** Moves the position past missing records: recent records and all cached data are discarded. */
  #jumpTo(position: number): void {
    this.position = position
    this.recentRecords = new RecentRecords(position)
    this.#invalidate('all')
    for (const queue of this.listening) {
      if (this.hasMissedEvents(queue.listener?.cursor ?? queue.cut.seq)) this.endQueue(queue)
    }
    this.#confirmIfReached()
  }

  /**
   * Applies a record once, even if that fails midway: applied again, its effects would count twice.
   * After a failure the accounts and caches are reloaded, because the record may have changed them
   * in part.
   */
  #applyRecordOnce(record: LogRecord): void {
    try {
      this.#applyRecord(record)
    } catch (error) {
      this.#onFault(error)
      this.recentRecords = new RecentRecords(record.seq)
      this.#invalidate('all')
      this.#discardAccounts()
    }
  }

  #applyRecord(record: LogRecord): void {
    this.recentRecords.add(record)
    for (const effect of record.header.effects ?? []) this.#applyEffect(effect, record)
    if (record.event === null || this.listening.size === 0) return
    for (const queue of this.#candidates(record)) {
      if (!this.#shouldDeliver(queue, record)) continue
      if (queue.pendingRecords === noRecords) queue.pendingRecords = [record]
      else queue.pendingRecords.push(record)
      if (record.header.deferred) this.#rounds.add(queue)
      else this.#wake.add(queue)
    }
  }

  /**
   * Ends the queue's listener with an error if the record cannot be matched, so that a bad record
   * fails no other queue.
   */
  #shouldDeliver(queue: Queue, record: LogRecord): boolean {
    try {
      return shouldDeliver(queue, record)
    } catch (error) {
      this.#onFault(error)
      queue.listener?.end(new ApiError('INTERNAL_ERROR'))
      return false
    }
  }

  #applyEffect(effect: Effect, record: LogRecord): void {
    this.#invalidate(effect)
    if (effect.kind === 'organization') return
    if (effect.kind === 'deactivation') this.#recheckAllListeners()
    else if (effect.kind === 'queues') this.#endQueues(effect.ended)
    else if (effect.kind === 'subscriptions') this.#changeSubscriptions(effect)
    else if (effect.kind === 'archive') this.#archiveStream(effect)
    else this.#changeAccount(effect, record)
  }

  /** Makes every listener check its access again, which ends it with the reason. */
  #recheckAllListeners(): void {
    for (const account of this.accounts.values()) {
      account.keyGeneration++
      for (const queue of account.queues) queue.listener?.recheck()
    }
  }

  #endQueues(ids: readonly string[]): void {
    for (const id of ids) {
      const queue = this.queues.get(id)
      if (queue) this.endQueue(queue)
    }
  }

  #changeSubscriptions(effect: EffectOf<'subscriptions'>): void {
    for (const user of effect.users) {
      const account = this.accounts.get(user)
      account?.apply(effect)
      // Accounts without a queue are indexed when they get one.
      if (account && account.queues.size > 0) this.#indexStream(effect.stream, account)
    }
  }

  #archiveStream(effect: EffectOf<'archive'>): void {
    for (const account of this.#accountsByStream.get(effect.stream) ?? []) account.apply(effect)
    for (const account of this.#loadingAccounts) account.apply(effect)
  }

  #changeAccount(effect: EffectOf<'role' | 'credentials' | 'user'>, record: LogRecord): void {
    const account = this.accounts.get(effect.user)
    if (!account) return
    account.apply(effect)
    for (const queue of account.queues) {
      if (effect.kind === 'role' && endsQueue(queue, record))
        this.endQueue(queue, new ApiError('ACCOUNT_DEACTIVATED'))
      // The queue stays, because the user continues it with the new key.
      if (effect.kind === 'credentials') queue.listener?.recheck()
    }
  }

  /**
   * Wakes the queue's listener soon, between other work: thousands may wait for the same record.
   */
  wakeSoon(queue: Queue): void {
    this.#wake.add(queue)
  }

  /** Wakes the queue's listener together with others, after up to some seconds. */
  wakeDeferred(queue: Queue): void {
    this.#rounds.add(queue)
  }

  /** Returns listening queues that could get the record, without duplicates. */
  #candidates({ header: { to, isPublic } }: LogRecord): Iterable<Queue> {
    if (to?.roles) return this.listening
    const accounts = new Set<Account | undefined>(to?.users?.map((user) => this.accounts.get(user)))
    for (const account of this.#accountsByStream.get(to?.stream ?? -1) ?? []) accounts.add(account)
    const queues = new Set(isPublic ? this.#allPublicQueues : [])
    for (const account of accounts) for (const queue of account?.queues ?? []) queues.add(queue)
    return [...queues].filter(({ listener }) => listener)
  }

  #indexStream(stream: number, account: Account): void {
    const accounts = this.#accountsByStream.get(stream) ?? new Set()
    this.#accountsByStream.set(stream, accounts.add(account))
  }

  /** Whether events after this cursor are lost to the client, so that it must register again. */
  hasMissedEvents(cursor: number): boolean {
    return cursor < this.droppedTo || this.#holes.some((hole) => isInside(hole, cursor))
  }

  /**
   * Loads the account with its role and subscription history and calls `use` with it synchronously.
   * An account that is discarded while it loads is loaded again: effects of the log reach only the
   * one in `accounts`, so a queue of any other would miss changes of its subscriptions.
   */
  async withAccount<Result>(user: UserId, use: (account: Account) => Result): Promise<Result> {
    for (;;) {
      const account = this.accounts.get(user) ?? this.#startLoading(user)
      try {
        await account.ready()
      } catch (error) {
        if (this.accounts.get(user) === account) this.accounts.delete(user)
        this.#loadingAccounts.delete(account)
        throw error
      }
      if (this.accounts.get(user) === account) return use(account)
    }
  }

  #startLoading(user: UserId): Account {
    const account = new Account(this.#db, this.id, user)
    this.accounts.set(user, account)
    this.#loadingAccounts.add(account)
    return account
  }

  /**
   * Takes the queue into memory. Must be called inside `withAccount`, and no queue of this id may
   * be attached.
   */
  attach(queue: Queue): void {
    this.queues.set(queue.id, queue)
    queue.account.queues.add(queue)
    if (queue.options.all_public_streams) this.#allPublicQueues.add(queue)
    this.#loadingAccounts.delete(queue.account)
    for (const stream of queue.account.streams.keys()) this.#indexStream(stream, queue.account)
  }

  /**
   * Removes the queue from memory. It stays in the database, and the next poll loads it again.
   * Detaching it again does nothing, because another object may represent the same queue by then.
   */
  detach(queue: Queue): void {
    if (queue.isDetached) return
    queue.isDetached = true
    this.queues.delete(queue.id)
    this.listening.delete(queue)
    this.#allPublicQueues.delete(queue)
    queue.account.queues.delete(queue)
    if (queue.account.queues.size > 0) return
    this.accounts.delete(queue.account.user_id)
    for (const stream of queue.account.streams.keys()) {
      const accounts = this.#accountsByStream.get(stream)
      accounts?.delete(queue.account)
      if (accounts?.size === 0) this.#accountsByStream.delete(stream)
    }
  }

  /**
   * Ends a queue that no longer exists: its listener fails with `error`, and it is removed from
   * memory.
   */
  endQueue(queue: Queue, error: ApiError = new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: queue.id })): void {
    queue.isEnded = true
    queue.listener?.end(error)
    this.detach(queue)
  }

  /**
   * Records that a node at position `head` has seen every commit made before `asOf`
   * (`performance.now()`). Once the position reaches it, `confirmedAt` becomes `asOf`.
   */
  confirmHead(head: number, asOf: number): void {
    this.#unconfirmedHead = { head, asOf }
    this.#confirmIfReached()
  }

  #confirmIfReached(): void {
    if (!this.#unconfirmedHead || this.position < this.#unconfirmedHead.head) return
    this.confirmedAt = Math.max(this.confirmedAt, this.#unconfirmedHead.asOf)
    this.#unconfirmedHead = undefined
  }
}

/**
 * Excludes the last number of the hole: it is the cursor of clients that register right after the
 * jump.
 */
const isInside = ({ first, last }: Hole, cursor: number): boolean => first <= cursor && cursor < last
