import type { ApiError, Generation, OrganizationId, Role, UserId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import { generationOf, type QueueOptions } from '../queue-options.ts'
import type { Effect, LogRecord } from '../record.ts'
import type { Cut } from './cut.ts'
import type { MatchNarrow } from './narrow.ts'
import { Periods } from './periods.ts'
import { findAccountHistory } from './queries.ts'

/**
 * A poll or an event stream that waits for events of a queue. It is set as `queue.listener` from the moment
 * it listens until it responds, and its queue is in `organization.listening` for exactly that time. A queue
 * has at most one listener.
 */
export interface Listener {
  /** Called when `queue.pendingRecords` may have records; it may still be empty. Must not throw. */
  wake(): void
  /**
   * Called when the listener must stop: with an error for the client, or without one if a newer listener
   * replaces it or the node stops. The listener must remove itself from the queue before this method
   * returns; none of its methods is called afterwards.
   */
  end(error?: ApiError): void
  /**
   * Called when the account's API key or the organization changed. A listener that has lost its access ends
   * itself.
   */
  recheck(): void
  /**
   * The id of the last event that the client has. Events up to it are never sent to this listener.
   */
  readonly cursor: number
}

const types = new WeakMap<QueueOptions, ReadonlySet<string>>()

/**
 * Returns the set of event types, shared by all queues with the same options object; undefined if all types
 * are delivered.
 */
function eventTypeSet(options: QueueOptions): ReadonlySet<string> | undefined {
  if (!options.event_types) return undefined
  const typeSet = types.get(options) ?? new Set(options.event_types)
  types.set(options, typeSet)
  return typeSet
}

/** The shared empty list of queues without pending records. Never push to it. */
export const noRecords: LogRecord[] = []

/**
 * A client's event queue in the memory of the node on which it is polled. It consists of a filter and cursors
 * over the log, and never contains copies of events. Any node can build it from its row in the database.
 * Numbers are positions in the organization's log; -1 means none.
 */
export class Queue {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly account: Account
  /** The registered state includes the events up to the cut, so they are never delivered. */
  readonly cut: Cut
  readonly options: QueueOptions
  readonly generation: Generation
  /** Event types to deliver; undefined for all. */
  readonly types: ReadonlySet<string> | undefined
  /** Tests records against the narrow of the options; undefined if the narrow has no terms. */
  readonly matchesNarrow: MatchNarrow | undefined
  /** The poll or event stream that waits now. Set together with `organization.listening`. */
  listener: Listener | undefined
  /**
   * Records for this queue that arrived since its listener began to listen. While this is `noRecords`,
   * replace it instead of pushing to it.
   */
  pendingRecords: LogRecord[] = noRecords
  /** The last event id of the newest response. */
  lastSentEventId = -1
  /**
   * The number up to which the log was scanned for this queue. No record between `lastSentEventId` and this
   * number is for this queue.
   */
  scannedTo = -1
  /**
   * The cursor of the poll that got the newest response. If the client polls with this cursor again, its
   * events must be merged in the same way.
   */
  lastResponseCursor = -1
  /** The last event id in the newest response to a poll with the cursor `lastResponseCursor`. */
  lastResponseEventId = -1
  /** The last event ids of earlier responses to polls with that cursor. */
  earlierResponseEventIds: readonly number[] | undefined
  /** When the queue was last polled on this node, by `performance.now()`. */
  seenAt = performance.now()
  /** The value of `seenAt` that was last saved in the database. */
  savedAt = Number.NEGATIVE_INFINITY
  /**
   * Number of event streams that read the queue. They keep the queue in memory even while they are sending
   * and not listening.
   */
  openStreamCount = 0
  /** Whether the queue was deleted, expired, or lost its owner. Nothing may be sent from it any more. */
  isEnded = false
  /**
   * Whether the queue object was removed from memory. It no longer gets changes of the account, so it must
   * not be read any more: the caller loads the queue again and gets a new object.
   */
  isDetached = false
  /**
   * Increases with every new listener. An event stream stops when this value has changed, because a newer
   * listener has replaced it.
   */
  listenerGeneration = 0

  constructor(
    fields: Pick<Queue, 'id' | 'organization_id' | 'account' | 'cut' | 'options' | 'matchesNarrow'>,
  ) {
    this.id = fields.id
    this.organization_id = fields.organization_id
    this.account = fields.account
    this.cut = fields.cut
    this.options = fields.options
    this.generation = generationOf(fields.options)
    this.types = eventTypeSet(fields.options)
    this.matchesNarrow = fields.matchesNarrow
  }
}

/**
 * History of the roles and subscriptions of an account whose queues this node serves. Effects of the log
 * update it.
 */
export class Account {
  readonly user_id: UserId
  readonly queues = new Set<Queue>()
  isBot = false
  /**
   * Increases when the API key is replaced. An event stream checks its key again when this value has
   * changed.
   */
  keyGeneration = 0
  roles = new Periods<Role>()
  readonly streams = new Map<number, Periods<true>>()
  /** Effects that arrived while the account was being loaded; undefined afterwards. */
  #effectsDuringLoad: Effect[] | undefined = []
  readonly #ready: Promise<void>

  constructor(db: Db, organization_id: OrganizationId, user_id: UserId) {
    this.user_id = user_id
    this.#ready = this.#load(db, organization_id)
  }

  /** Resolves once the account is loaded. */
  ready(): Promise<void> {
    return this.#ready
  }

  async #load(db: Db, organization_id: OrganizationId): Promise<void> {
    const found = await findAccountHistory(db, { organization_id, user_id: this.user_id })
    if (!found) throw new Error(`account ${this.user_id} does not exist`)
    this.isBot = found.is_bot
    this.roles = new Periods(found.roles ?? [])
    const byStream = Map.groupBy(found.streams ?? [], ({ stream_id }) => stream_id)
    for (const [stream, periods] of byStream) {
      this.streams.set(stream, new Periods(periods.map(({ from, to }) => ({ value: true, from, to }))))
    }
    const early = this.#effectsDuringLoad ?? []
    this.#effectsDuringLoad = undefined
    for (const effect of early) this.apply(effect)
  }

  /**
   * Applies an effect, which must concern this account. Effects that arrive during the load are applied after
   * it.
   */
  apply(effect: Effect): void {
    if (effect.kind === 'credentials') this.keyGeneration++
    if (this.#effectsDuringLoad) {
      this.#effectsDuringLoad.push(effect)
      return
    }
    if (effect.kind === 'role') this.roles.change(effect.at, effect.role ?? undefined)
    if (effect.kind === 'subscriptions') {
      const periods = this.streams.get(effect.stream) ?? new Periods<true>()
      this.streams.set(effect.stream, periods)
      periods.change(effect.at, effect.subscribed || undefined)
    }
    if (effect.kind === 'archive') this.streams.get(effect.stream)?.change(effect.at, undefined)
  }
}
