import type { QueueOptions } from './queue-options.ts'

/**
 * How events of one type look to a queue, where that is not simply the event as it was emitted. What is rendered is
 * kept with the record, once for each variant, and shared by all queues that want that variant.
 */
export interface EventShape {
  readonly type: string
  /** A short name for what these options ask for. */
  variant(options: QueueOptions): string
  /** The event as queues of this variant get it, or several, at most as many as the record's width. Ids are added later. */
  render(event: Readonly<Record<string, unknown>>, variant: string): readonly object[]
}
