import { ApiError, type OrganizationId, type UserId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import { Account } from '../delivery/account.ts'
import type { InTurns } from '../delivery/in-turns.ts'
import { ends, isFor } from '../delivery/match.ts'
import { none, type Queue } from '../delivery/queue.ts'
import type { Rounds } from '../delivery/rounds.ts'
import { type Batch, type Effect, type EffectOf, type LogRecord, unpackBatch } from '../record.ts'
import { Window } from './window.ts'

/** Numbers that no cursor can stand at: a failover may have lost what they were given to. */
interface Hole {
  first: number
  last: number
}

/** How a node follows one organization: its position, the newest records, and whoever listens here. */
export class OrganizationLog {
  readonly id: OrganizationId
  /** Everything up to this number was looked at. */
  position: number
  /** Everything up to this number is no longer in the database either. */
  dropped: number
  window: Window
  readonly queues = new Map<string, Queue>()
  readonly accounts = new Map<UserId, Account>()
  readonly listening = new Set<Queue>()
  /** Queues that get what is said in any public stream. */
  readonly #widened = new Set<Queue>()
  /** Accounts with queues here that are or were in a stream. */
  readonly #byStream = new Map<number, Set<Account>>()
  /** Accounts that have no queue here yet: most of them are still being read, and nobody knows their streams. */
  readonly #arriving = new Set<Account>()
  readonly #holes: Hole[]
  readonly #db: Db
  readonly #wake: InTurns<Queue>
  readonly #rounds: Rounds
  readonly #forget: (effect: Effect | 'all') => void
  readonly #onFault: (error: unknown) => void
  /** As of when the position is known to have been the newest, by this process's clock. */
  confirmedAt = Number.NEGATIVE_INFINITY
  /** A look at the head that the position has not reached yet. */
  #toConfirm: { head: number; asOf: number } | undefined
  readonly followedAt = performance.now()
  usedAt = performance.now()

  constructor(given: {
    id: OrganizationId
    position: number
    dropped: number
    holes: Hole[]
    db: Db
    wake: InTurns<Queue>
    rounds: Rounds
    forget: (effect: Effect | 'all') => void
    onFault: (error: unknown) => void
  }) {
    this.id = given.id
    this.position = given.position
    this.dropped = given.dropped
    this.window = new Window(given.position)
    this.#holes = given.holes
    this.#db = given.db
    this.#wake = given.wake
    this.#rounds = given.rounds
    this.#forget = given.forget
    this.#onFault = given.onFault
  }

  /** True if the batch continued the log here, or was known already. */
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
      this.#takeOnce(record)
    }
    this.position = batch.last_seq
    this.#confirmIfReached()
    return true
  }

  /** What lies between is no longer in the database: whoever has not seen all of it has missed something. */
  skipTo(first: number): void {
    if (first <= this.position + 1) return
    this.dropped = Math.max(this.dropped, first - 1)
    this.#jumpTo(first - 1)
  }

  #leaveHole(hole: Hole): void {
    this.#holes.push(hole)
    this.#jumpTo(hole.last)
    for (const queue of this.queues.values()) if (isInside(hole, queue.cut.seq)) this.end(queue)
    this.#readAccountsAnew()
  }

  /** Who was where and what is known in part from records that were lost. Whoever goes on comes again and is read anew. */
  #readAccountsAnew(): void {
    for (const queue of [...this.queues.values()]) {
      queue.listener?.end()
      this.detach(queue)
    }
    this.accounts.clear()
    this.#byStream.clear()
    this.#arriving.clear()
  }

  /** The window is of no use to anyone, nor is what was remembered from before. */
  #jumpTo(position: number): void {
    this.position = position
    this.window = new Window(position)
    this.#forget('all')
    for (const queue of this.listening) {
      if (this.isDead(queue.listener?.cursor ?? queue.cut.seq)) this.end(queue)
    }
    this.#confirmIfReached()
  }

  /**
   * A record is applied once, even if that fails midway: applied again, its effects would count twice. What is known in
   * memory is then read anew, because the record may have changed it in part.
   */
  #takeOnce(record: LogRecord): void {
    try {
      this.#take(record)
    } catch (error) {
      this.#onFault(error)
      this.window = new Window(record.seq)
      this.#forget('all')
      this.#readAccountsAnew()
    }
  }

  #take(record: LogRecord): void {
    this.window.add(record)
    for (const effect of record.header.effects ?? []) this.#apply(effect, record)
    if (record.event === null || this.listening.size === 0) return
    for (const queue of this.#candidates(record)) {
      if (!this.#isFor(queue, record)) continue
      if (queue.found === none) queue.found = [record]
      else queue.found.push(record)
      if (record.header.unhurried) this.#rounds.add(queue)
      else this.#wake.add(queue)
    }
  }

  /** A record that cannot be judged is a mistake of whoever wrote it; one queue fails by it, not the node. */
  #isFor(queue: Queue, record: LogRecord): boolean {
    try {
      return isFor(queue, record)
    } catch (error) {
      this.#onFault(error)
      queue.listener?.end(new ApiError('INTERNAL_ERROR'))
      return false
    }
  }

  #apply(effect: Effect, record: LogRecord): void {
    this.#forget(effect)
    if (effect.kind === 'organization') return
    if (effect.kind === 'deactivation') this.#recheckAll()
    else if (effect.kind === 'queues') this.#endQueues(effect.ended)
    else if (effect.kind === 'subscriptions') this.#changeSubscriptions(effect)
    else if (effect.kind === 'archive') this.#endSubscriptions(effect)
    else this.#changeAccount(effect, record)
  }

  /** As if every key had been replaced: whoever listens finds out why they may not any more. */
  #recheckAll(): void {
    for (const account of this.accounts.values()) {
      account.keys++
      for (const queue of account.queues) queue.listener?.recheck()
    }
  }

  #endQueues(ids: readonly string[]): void {
    for (const id of ids) {
      const queue = this.queues.get(id)
      if (queue) this.end(queue)
    }
  }

  #changeSubscriptions(effect: EffectOf<'subscriptions'>): void {
    for (const user of effect.users) {
      const account = this.accounts.get(user)
      account?.apply(effect)
      // Those that have no queue yet are indexed when they get one.
      if (account && account.queues.size > 0) this.#indexStream(effect.stream, account)
    }
  }

  #endSubscriptions(effect: EffectOf<'archive'>): void {
    for (const account of this.#byStream.get(effect.stream) ?? []) account.apply(effect)
    for (const account of this.#arriving) account.apply(effect)
  }

  #changeAccount(effect: EffectOf<'role' | 'credentials' | 'user'>, record: LogRecord): void {
    const account = this.accounts.get(effect.user)
    if (!account) return
    account.apply(effect)
    for (const queue of account.queues) {
      if (effect.kind === 'role' && ends(queue, record)) this.end(queue, new ApiError('ACCOUNT_DEACTIVATED'))
      // The queue stays: whoever has the new key may go on with it.
      if (effect.kind === 'credentials') queue.listener?.recheck()
    }
  }

  /** Wakes whoever listens, in turn with others: there may be thousands that waited for the same. */
  wakeInTurn(queue: Queue): void {
    this.#wake.add(queue)
  }

  /** For what can wait until many are woken. */
  wakeInRound(queue: Queue): void {
    this.#rounds.add(queue)
  }

  /** Listening queues that the record could be meant for, each once. */
  #candidates({ header: { to, isPublic } }: LogRecord): Iterable<Queue> {
    if (to?.roles) return this.listening
    const accounts = new Set<Account | undefined>(to?.users?.map((user) => this.accounts.get(user)))
    for (const account of this.#byStream.get(to?.stream ?? -1) ?? []) accounts.add(account)
    const queues = new Set(isPublic ? this.#widened : [])
    for (const account of accounts) for (const queue of account?.queues ?? []) queues.add(queue)
    return [...queues].filter(({ listener }) => listener)
  }

  #indexStream(stream: number, account: Account): void {
    const accounts = this.#byStream.get(stream) ?? new Set()
    this.#byStream.set(stream, accounts.add(account))
  }

  /** Whether a client that has everything up to here has missed something that nobody can tell any more. */
  isDead(cursor: number): boolean {
    return cursor < this.dropped || this.#holes.some((hole) => isInside(hole, cursor))
  }

  /**
   * Loads the account and calls `use` with it at once. An account that is forgotten while it loads is loaded again:
   * effects of the log reach only the one in `accounts`, so a queue of any other would miss changes of its streams.
   */
  async withAccount<Result>(user: UserId, use: (account: Account) => Result): Promise<Result> {
    for (;;) {
      const account = this.accounts.get(user) ?? this.#startLoading(user)
      try {
        await account.ready()
      } catch (error) {
        if (this.accounts.get(user) === account) this.accounts.delete(user)
        this.#arriving.delete(account)
        throw error
      }
      if (this.accounts.get(user) === account) return use(account)
    }
  }

  #startLoading(user: UserId): Account {
    const account = new Account(this.#db, this.id, user)
    this.accounts.set(user, account)
    this.#arriving.add(account)
    return account
  }

  /** Keeps the queue in memory. Its account is one that `withAccount` is just handing out. */
  attach(queue: Queue): void {
    this.queues.set(queue.id, queue)
    queue.account.queues.add(queue)
    if (queue.options.all_public_streams) this.#widened.add(queue)
    this.#arriving.delete(queue.account)
    for (const stream of queue.account.streams.keys()) this.#indexStream(stream, queue.account)
  }

  /** Out of memory; it lives on in the database. */
  detach(queue: Queue): void {
    queue.isDetached = true
    this.queues.delete(queue.id)
    this.listening.delete(queue)
    this.#widened.delete(queue)
    queue.account.queues.delete(queue)
    if (queue.account.queues.size > 0) return
    this.accounts.delete(queue.account.user_id)
    for (const stream of queue.account.streams.keys()) {
      const accounts = this.#byStream.get(stream)
      accounts?.delete(queue.account)
      if (accounts?.size === 0) this.#byStream.delete(stream)
    }
  }

  end(queue: Queue, error: ApiError = new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: queue.id })): void {
    queue.isEnded = true
    queue.listener?.end(error)
    this.detach(queue)
  }

  /** This was the head at that time; once the position is there, so is everything that was committed before it. */
  confirm(head: number, asOf: number): void {
    this.#toConfirm = { head, asOf }
    this.#confirmIfReached()
  }

  #confirmIfReached(): void {
    if (!this.#toConfirm || this.position < this.#toConfirm.head) return
    this.confirmedAt = Math.max(this.confirmedAt, this.#toConfirm.asOf)
    this.#toConfirm = undefined
  }
}

/** A client that registered after the jump has the last number of the hole as its cursor, and has missed nothing. */
const isInside = ({ first, last }: Hole, cursor: number): boolean => first <= cursor && cursor < last
