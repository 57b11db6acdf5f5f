import type { OrganizationId } from '@oxbow/contract'
import type { Batch } from '../record.ts'

/**
 * Callbacks of a node for messages from other nodes. Any message may be lost, repeated, reordered
 * or delayed.
 */
export interface Receiver {
  /** Called with batches that the sequencer has committed. */
  onBatches(batches: readonly Batch[]): void
  /**
   * Called when the organization's log has grown to `last_seq`; without arguments, any organization's log may
   * have grown.
   */
  onHint(organization?: OrganizationId, last_seq?: number): void
  /** Called when the outbox has new rows; only the sequencer needs to act. */
  onPoke(): void
}

/**
 * Broadcasts messages between nodes: the sequencer announces batches (or hints), and other nodes
 * wake it with a poke. Delivery is best effort and nothing is stored; nodes read the events that
 * they missed from PostgreSQL. No method throws because of the transport.
 */
export interface Carrier {
  /** Connects, and calls `receiver` from now on. Rejects if the first connection fails. */
  start(receiver: Receiver): Promise<void>
  /** Announces committed batches to the other nodes. Only the sequencer calls it, in the order of the log. */
  announce(batches: readonly Batch[]): void
  /** Wakes the sequencer, which may be on any node. */
  poke(): void
  stop(): Promise<void>
}
