import type { ApiError, OrganizationId } from '@oxbow/contract'
import type { QueueOptions } from '../queue-options.ts'
import type { LogRecord } from '../record.ts'
import type { Account } from './account.ts'
import type { Cut } from './cut.ts'

/** Someone who waits for events of a queue: a poll, or a stream. */
export interface Listener {
  /** There is something in `queue.found`, or it is time to look. */
  wake(): void
  /** The queue is gone, or whoever listens may no longer. Without an error: someone else listens now. */
  end(error?: ApiError): void
  /** The account's key is another one: whoever came with the old one must go. */
  recheck(): void
  /** What the client has acknowledged or was sent. */
  readonly cursor: number
}

const types = new WeakMap<QueueOptions, ReadonlySet<string>>()

/** One set for all queues with the same options. */
function typesOf(options: QueueOptions): ReadonlySet<string> | undefined {
  if (!options.event_types) return undefined
  const known = types.get(options) ?? new Set(options.event_types)
  types.set(options, known)
  return known
}

/** Shared by all queues that nothing was found for; never added to. */
export const none: LogRecord[] = []

/** A queue as a node has it in memory while it is polled here: a filter and a cut, never a copy of events. */
export class Queue {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly account: Account
  readonly cut: Cut
  readonly options: QueueOptions
  readonly types: ReadonlySet<string> | undefined
  listener: Listener | undefined
  /** Records that came while someone listened and that are meant for this queue. */
  found: LogRecord[] = none
  /** A client that has everything up to `answeredTo` has everything up to `scannedTo`. */
  answeredTo = -1
  scannedTo = -1
  /** The cursor of the last answer that left this node, and its last id: what it merged is merged the same way again. */
  handedOutAfter = -1
  handedOutTo = -1
  /** Last ids of earlier answers to the same cursor. */
  earlierAnswers: readonly number[] | undefined
  /** When it was last polled here, by this process's clock. */
  seenAt = performance.now()
  /** Up to when the database knows that it was polled. */
  notedAt = Number.NEGATIVE_INFINITY
  /** How many streams read it: they may be busy sending while nobody listens. */
  streams = 0
  isEnded = false
  /**
   * True once the node has dropped this object from memory. Changes of the account no longer reach it, so it must not be
   * read from any more: the caller asks for the queue again and gets a new object.
   */
  isDetached = false
  /** Counts whoever came to listen: only the last one does. */
  turn = 0

  constructor(given: Pick<Queue, 'id' | 'organization_id' | 'account' | 'cut' | 'options'>) {
    this.id = given.id
    this.organization_id = given.organization_id
    this.account = given.account
    this.cut = given.cut
    this.options = given.options
    this.types = typesOf(given.options)
  }
}
