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
  /** What the client has acknowledged or was sent. */
  readonly cursor: number
}

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
  found: LogRecord[] = []
  /** A client that has everything up to `answeredTo` has everything up to `scannedTo`. */
  answeredTo = -1
  scannedTo = -1
  /** The last ids of the answers that a client with this cursor got: what one of them merged is merged the same way again. */
  handedOut: { after: number; lasts: number[] } = { after: -1, lasts: [] }
  /** When it was last polled here, by this process's clock. */
  seenAt = performance.now()
  isEnded = false
  /** Counts whoever came to listen: only the last one does. */
  turn = 0

  constructor(given: Pick<Queue, 'id' | 'organization_id' | 'account' | 'cut' | 'options'>) {
    this.id = given.id
    this.organization_id = given.organization_id
    this.account = given.account
    this.cut = given.cut
    this.options = given.options
    this.types = given.options.event_types ? new Set(given.options.event_types) : undefined
  }
}
