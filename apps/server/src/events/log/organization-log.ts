import { ApiError, type OrganizationId, type UserId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import type { DeferredWakeups } from '../delivery/deferred-wakeups.ts'
import { endsQueue, shouldDeliver } from '../delivery/match.ts'
import { Account, type Listener, noRecords, type Queue } from '../delivery/queue.ts'
import type { YieldingQueue } from '../delivery/yielding-queue.ts'
import { type Batch, type Effect, type EffectOf, type LogRecord, unpackBatch } from '../record.ts'
import { RecentRecords } from './recent-records.ts'

/**
 * A range of numbers, both inclusive, whose records a failover may have lost. A client with a cursor inside
 * it must register again.
 */
interface Hole {
  first: number
  last: number
}

/**
 * Follows the log of one organization on a node: applies its records in order, each exactly once, keeps the
 * newest ones in memory, and adds each record to the listening queues that should get it. All methods except
 * `withAccount` are synchronous, so a caller that awaits nothing works with one consistent position.
 */
export class OrganizationLog {
  readonly id: OrganizationId
  /**
   * Number of the last applied record. Every record up to it was offered to the queues that were
   * listening.
   */
  position: number
  /**
   * Records up to this number are no longer in the database. A client with a lower cursor must register
   * again.
   */
  droppedTo: number
  /** The newest records, in memory. Replaced by an empty object after a hole. */
  recentRecords: RecentRecords
  /** Queues in memory, by id. Only `attach`, `detach` and `endQueue` change it. */
  readonly queues = new Map<string, Queue>()
  /**
   * Accounts whose queues are in memory or are being loaded. Only `withAccount`, `attach` and `detach` change
   * it.
   */
  readonly accounts = new Map<UserId, Account>()
  /** Queues with a listener. Only `listen` and `stopListening` change it. */
  readonly listening = new Set<Queue>()
  /** Queues with `all_public_streams`. */
  readonly #allPublicQueues = new Set<Queue>()
  /** Accounts with queues in memory, by the streams to which they are or were subscribed. */
  readonly #accountsByStream = new Map<number, Set<Account>>()
  /** Accounts without a queue in memory. Most are still being loaded, so their streams are not known yet. */
  readonly #loadingAccounts = new Set<Account>()
  /**
   * Number of the newest record by event type. Records without an event are listed by their effects (`effect
   * queues`), and the newest gap as `gap`.
   */
  readonly #newestByType = new Map<string, number>()
  readonly #holes: Hole[]
  readonly #db: Db
  readonly #wake: YieldingQueue<Queue>
  readonly #rounds: DeferredWakeups
  readonly #invalidate: (effect: Effect | 'all') => void
  readonly #onFault: (error: unknown) => void
  /**
   * The latest time, by `performance.now()`, for which the position is known to include every commit made
   * before that time.
   */
  confirmedAt = Number.NEGATIVE_INFINITY
  /** The head that was read from the database at `asOf`, until the position reaches it. */
  #unconfirmedHead: { head: number; asOf: number } | undefined
  /**
   * When this node began to follow the organization, by `performance.now()`. A value whose read began earlier
   * may have missed an invalidation.
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
    invalidate: (effect: Effect | 'all') => void
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
    this.#invalidate = options.invalidate
    this.#onFault = options.onFault
  }

  /**
   * Ends the queue's listener, and returns the generation of the next one: a listener that finds a later
   * generation has been replaced.
   */
  replaceListener(queue: Queue): number {
    const generation = ++queue.listenerGeneration
    queue.listener?.end()
    return generation
  }

  /** Sets the queue's listener. `deferred` contains records that are sent in the next round. */
  listen(queue: Queue, listener: Listener, deferred = noRecords): void {
    queue.pendingRecords = deferred
    queue.listener = listener
    this.listening.add(queue)
    if (deferred.length > 0) this.wakeDeferred(queue)
  }

  /** Removes the queue's listener. Returns false if it has another one, or none. */
  stopListening(queue: Queue, listener: Listener): boolean {
    if (queue.listener !== listener) return false
    queue.listener = undefined
    this.listening.delete(queue)
    return true
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
   * Skips records before `first` that were dropped from the database. Clients with a cursor in the skipped
   * range must register again.
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
   * Drops all accounts, because they may be outdated. Their listeners end without events; the next polls of
   * the clients load the accounts again.
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

  /** Moves the position past missing records, and discards recent records and all cached data. */
  #jumpTo(position: number): void {
    this.position = position
    this.recentRecords = new RecentRecords(position)
    this.#newestByType.set('gap', position)
    this.#invalidate('all')
    for (const queue of this.listening) {
      if (this.hasMissedEvents(queue.listener?.cursor ?? queue.cut.seq)) this.endQueue(queue)
    }
    this.#confirmIfReached()
  }

  /**
   * Applies a record only once, even if that fails midway, because a second attempt would apply some effects
   * twice. After a failure, accounts and caches are discarded, because the record may have changed them in
   * part.
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

  /** Returns the number of the newest applied record that has none of these types; 0 if there is none. */
  newestRecord(except: ReadonlySet<string>): number {
    let newest = 0
    for (const [type, seq] of this.#newestByType) if (seq > newest && !except.has(type)) newest = seq
    return newest
  }

  #noteType({ seq, event, header: { type, effects = [] } }: LogRecord): void {
    if (event !== null) this.#newestByType.set(type ?? 'unknown', seq)
    else for (const { kind } of effects) this.#newestByType.set(`effect ${kind}`, seq)
  }

  #applyRecord(record: LogRecord): void {
    this.#noteType(record)
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
   * Ends the queue's listener with an error if the record cannot be matched, so that a bad record does not
   * affect other queues.
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

  /** Makes every listener check its access again. A listener without access ends with the reason. */
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
      // The queue is kept, because the user continues it with the new key.
      if (effect.kind === 'credentials') queue.listener?.recheck()
    }
  }

  /**
   * Wakes the queue's listener soon, yielding to other work in between, because thousands of listeners may
   * wait for the same record.
   */
  wakeSoon(queue: Queue): void {
    this.#wake.add(queue)
  }

  /** Wakes the queue's listener together with others, at most a few seconds later. */
  wakeDeferred(queue: Queue): void {
    this.#rounds.add(queue)
  }

  /** Returns listening queues that could get the record, without duplicates. */
  #candidates({ header: { to, isPublic } }: LogRecord): Iterable<Queue> {
    const { guests } = to ?? {}
    if (to?.roles || guests?.inverted) return this.listening
    const users = [...(to?.users ?? []), ...(guests?.users ?? [])]
    const accounts = new Set<Account | undefined>(users.map((user) => this.accounts.get(user)))
    for (const stream of [to?.stream ?? -1, ...(guests?.streams ?? [])])
      for (const account of this.#accountsByStream.get(stream) ?? []) accounts.add(account)
    const queues = new Set(isPublic ? this.#allPublicQueues : [])
    for (const account of accounts) for (const queue of account?.queues ?? []) queues.add(queue)
    return [...queues].filter(({ listener }) => listener)
  }

  #indexStream(stream: number, account: Account): void {
    const accounts = this.#accountsByStream.get(stream) ?? new Set()
    this.#accountsByStream.set(stream, accounts.add(account))
  }

  /** Whether the client has missed events after this cursor and must register again. */
  hasMissedEvents(cursor: number): boolean {
    return cursor < this.droppedTo || this.#holes.some((hole) => isInside(hole, cursor))
  }

  /**
   * Loads the account with its role and subscription history and calls `use` with it synchronously. An
   * account that is discarded while it loads is loaded again: effects of the log are applied only to the
   * object in `accounts`, so a queue with any other object would miss changes of its subscriptions.
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
   * Adds the queue to memory. Must be called inside `withAccount`, while no queue with this id is attached.
   */
  attach(queue: Queue): void {
    this.queues.set(queue.id, queue)
    queue.account.queues.add(queue)
    if (queue.options.all_public_streams) this.#allPublicQueues.add(queue)
    this.#loadingAccounts.delete(queue.account)
    for (const stream of queue.account.streams.keys()) this.#indexStream(stream, queue.account)
  }

  /**
   * Removes the queue from memory. The queue stays in the database, and the next poll loads it again. A
   * second call does nothing, because another object may represent the queue by then.
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
   * Ends a queue that no longer exists: its listener fails with `error`, and the queue is removed from
   * memory.
   */
  endQueue(queue: Queue, error: ApiError = new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: queue.id })): void {
    queue.isEnded = true
    queue.listener?.end(error)
    this.detach(queue)
  }

  /**
   * Records that a node at position `head` has seen every commit made before `asOf` (`performance.now()`).
   * `confirmedAt` becomes `asOf` once the position reaches `head`.
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
 * Whether the cursor is in the hole. The last number is excluded, because clients that register right after
 * the jump have it as their cursor.
 */
const isInside = ({ first, last }: Hole, cursor: number): boolean => first <= cursor && cursor < last
