import type { OrganizationId } from '@oxbow/contract'
import type { Batch } from '../record.ts'

/** What a carrier brings to a node. All of it may be lost on the way, come twice or late. */
export interface Receiver {
  batches(batches: readonly Batch[]): void
  /** The log of an organization reaches to this number; of all organizations where none is named. */
  hint(organization?: OrganizationId, last_seq?: number): void
  /** There is something in the outbox. */
  poke(): void
}

/** Tells every node what the sequencer wrote. It carries and never keeps: PostgreSQL has the truth. */
export interface Carrier {
  start(receiver: Receiver): Promise<void>
  announce(batches: readonly Batch[]): void
  /** For the sequencer, wherever it is. */
  poke(): void
  stop(): Promise<void>
}
