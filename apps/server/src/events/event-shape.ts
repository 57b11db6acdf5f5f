import type { OrganizationId, UserId } from '@oxbow/contract'
import type { Db } from '../platform/database/database.ts'
import type { QueueOptions } from './queue-options.ts'
import type { LogRecord } from './record.ts'

/** An event as it was emitted. */
export type EmittedEvent = Readonly<Record<string, unknown>>

/** What a record needs to be rendered and does not carry: JSON texts by id. */
export type Loaded = ReadonlyMap<number, string>

/**
 * How events of one type look to a queue, where that is not simply the event as it was emitted. What is rendered is
 * kept with the record, once for each variant, and shared by all queues that want that variant.
 */
export interface EventShape {
  readonly type: string
  /** A short name for what these options ask for. */
  variant(options: QueueOptions): string
  /**
   * What rendering needs beyond the record, for what would make records huge or may not be kept in them. Read as of the
   * record's `outboxId`, because it may be read at any later time, and once for all queues of a node. It is kept for a
   * short while, and what is rendered of it not at all. Undefined: this record needs nothing.
   */
  load?(db: Db, organization_id: OrganizationId, record: LogRecord): Promise<Loaded> | undefined
  /**
   * The event as queues of this variant get it, or several, at most as many as the record's width: objects, or JSON where
   * they are made of loaded texts. Ids are added later.
   */
  render(event: EmittedEvent, variant: string, loaded: Loaded | undefined): readonly (object | string)[]
  /**
   * The same, as JSON, for an account with a part of its own. Without this the part's fields are appended to what all
   * get. It is called for each queue and nothing of it is kept.
   */
  renderPart?(
    event: EmittedEvent,
    part: object,
    variant: string,
    loaded: Loaded | undefined,
  ): readonly string[]
  /**
   * Fields that only this reader gets, appended to what all get and made of what was loaded: what is as of delivery, and
   * another for each. With it `render` gets nothing of what was loaded, so that what it makes is kept as usual. It is
   * called for each queue and nothing of it is kept.
   */
  ownFields?(user_id: UserId, loaded: Loaded | undefined): object | undefined
}
