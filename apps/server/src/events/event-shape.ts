import type { OrganizationId, UserId } from '@oxbow/contract'
import type { Db } from '../platform/database/database.ts'
import type { QueueOptions } from './queue-options.ts'
import type { LogRecord } from './record.ts'

/** The event object as an action emitted it. */
export type EmittedEvent = Readonly<Record<string, unknown>>

/**
 * Data that is needed for rendering and not contained in the record: JSON texts by id (of messages, users,
 * …).
 */
export type Loaded = ReadonlyMap<number, string>

/** Returns whether an event matches the operand of a term in a queue's narrow, for a reader with these flags. */
export type EventFilter = (event: EmittedEvent, flags: readonly string[], operand: string) => boolean

/**
 * Renders events of one type, if clients should not simply get the emitted event. The result of `render` is
 * cached with the record, once per variant, and shared by all queues of that variant, so it must depend only
 * on its arguments. No method may change its event. `Emitted` is the type of the events that actions emit; it
 * must be a type alias, because an interface is not assignable to `EmittedEvent`.
 */
export interface EventShape<Emitted extends EmittedEvent = EmittedEvent> {
  /** The event type this shape renders. At most one shape exists per type. */
  readonly type: string
  /**
   * The operators that a queue's narrow may have. Events of this type are delivered only to queues whose
   * narrow they match. Events of types without filters are delivered regardless of narrows.
   */
  readonly filters?: Readonly<Record<string, EventFilter>>
  /** Returns a short cache key. Options with the same key must get identical events. */
  variant(options: QueueOptions): string
  /**
   * Reads data that would make the record too large or must not be stored in it. It may be called at any time
   * after the commit, so it must read the state as of the record's `outboxId`. All queues of a node share one
   * read; the result is cached briefly, and events rendered from it are not cached. Returns undefined, never
   * a promise of undefined, if the record needs nothing. If the promise rejects, the polls that need it fail
   * and the next poll retries.
   */
  load?(db: Db, organization_id: OrganizationId, record: LogRecord): Promise<Loaded> | undefined
  /**
   * Returns the events for queues of this variant: at most as many as the record's `eventCount`, possibly
   * none. Each is an object, or JSON text of an object with at least one field. The caller adds the ids.
   */
  render(event: Emitted, variant: string, loaded: Loaded | undefined): readonly (object | string)[]
  /**
   * Returns the events, as JSON, for an account that has an entry in the header's `parts`. Called for each
   * queue; the result is not cached. Without this method, the fields of `part` are appended to the shared
   * events.
   */
  renderForAccount?(
    event: Emitted,
    part: object,
    variant: string,
    loaded: Loaded | undefined,
  ): readonly string[]
  /**
   * Returns fields that only this reader gets, built from the loaded data, such as their current flags of an
   * edited message. They are appended to the shared events. Called for each queue; the result is not cached.
   * A shape with this method gets `loaded` as undefined in `render`, so that the shared events can be cached
   * as usual.
   */
  readerFields?(user_id: UserId, loaded: Loaded | undefined): object | undefined
}
