import type { OrganizationId } from '@oxbow/contract'
import type { Batch } from '../record.ts'

/**
 * Callbacks of a node for messages from other nodes. Any message may be lost, repeated, reordered
 * or delayed.
 */
export interface Receiver {
  /** Batches that the sequencer committed. */
  onBatches(batches: readonly Batch[]): void
  /**
   * The organization's log now reaches `last_seq`; without arguments, any organization's log may
   * have grown.
   */
  onHint(organization?: OrganizationId, last_seq?: number): void
  /** The outbox has new rows; only the sequencer needs to act. */
  onPoke(): void
}

/**
 * Broadcasts messages between nodes: the sequencer announces batches (or hints), and other nodes
 * wake it with a poke. Delivery is best effort and nothing is stored; nodes read the events that
 * they missed from PostgreSQL. No method throws because of the transport.
 */
export interface Carrier {
  /** Connects, and calls `receiver` from then on. Rejects if the first connection fails. */
  start(receiver: Receiver): Promise<void>
  /** Announces committed batches to the other nodes; called by the sequencer only, in log order. */
  announce(batches: readonly Batch[]): void
  /** Wakes the sequencer, on whichever node it is. */
  poke(): void
  stop(): Promise<void>
}
