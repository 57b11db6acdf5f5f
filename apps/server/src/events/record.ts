import type { Generation, OrganizationId, Role, UserId } from '@oxbow/contract'

/**
 * The accounts that get an event: the union of `users`, `roles`, `stream` and `guests`, restricted by the other fields.
 * Roles and subscriptions are evaluated as of the moment at which the record was written (or `asOf`), on any
 * node and at any later time, without reading the database. The field names are stored in the log.
 */
export interface Audience {
  /** These accounts, regardless of `peopleOnly`, `unless` and `received`. */
  users?: readonly UserId[]
  /** Subscribers of this stream. */
  stream?: number
  /** With `stream`: includes accounts that were subscribed before and are no longer. */
  former?: true
  /**
   * Restricts `stream` to accounts that were subscribed to this stream at this outbox id. Used for messages
   * of streams whose history is hidden from later subscribers: only accounts that received the message get
   * events about it.
   */
  received?: { stream: number; at: number }
  /** Active accounts with one of these roles. */
  roles?: readonly Role[] | 'everyone'
  /**
   * Accounts that see, or do not see, a person in an organization that limits the sight of guests. Nodes of
   * releases without this field deliver to none of them.
   */
  guests?: GuestAudience
  /** Excludes bots from `roles` and `stream`. */
  peopleOnly?: boolean
  /**
   * Excludes subscribers of this stream from `roles`, from `stream` and from queues with
   * `all_public_streams`; with `former` also accounts that were subscribed before.
   */
  unless?: { stream: number; former?: true }
  /** Excludes these accounts, even if another field includes them. */
  except?: readonly UserId[]
  /** Excludes queues with `all_public_streams`, for which another record is written. */
  unlessWidened?: true
  /**
   * Evaluates roles and subscriptions at this outbox id instead of the record's own, to get the audience
   * before a change.
   */
  asOf?: number
}

/** Accounts by whether they share a stream or a conversation with a person; see `identity/accounts/sight.ts`. */
export interface GuestAudience {
  /** Guests who are subscribed to one of these streams. */
  streams?: readonly number[]
  /** These accounts, of any role. */
  users?: readonly UserId[]
  /** Inverts the audience: guests who are not in it. */
  inverted?: true
  /** Excludes guests who are not subscribed to this stream. */
  within?: number
}

/**
 * A change of visibility, or of data that nodes cache. Every node applies the effects of a record in log
 * order, exactly once. `at` is the outbox id from which the change applies.
 */
export type Effect =
  /** The account has this role from `at` on; null if it is deactivated, which ends its queues and polls. */
  | { kind: 'role'; user: UserId; role: Role | null; at: number }
  | { kind: 'subscriptions'; users: readonly UserId[]; stream: number; subscribed: boolean; at: number }
  /** All subscriptions to the stream end. */
  | { kind: 'archive'; stream: number; at: number }
  /** The account's API key was replaced: polls with the old key end, but queues are kept. */
  | { kind: 'credentials'; user: UserId }
  /** Cached data of the account changed. */
  | { kind: 'user'; user: UserId }
  /**
   * Cached data of the organization changed; with a subject, only entries cached under that
   * subject.
   */
  | { kind: 'organization'; subject?: string }
  /** The organization was deactivated. Every listener checks its access again and ends with the error. */
  | { kind: 'deactivation' }
  /** These queues were deleted or expired. */
  | { kind: 'queues'; ended: readonly string[] }

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>

/** An event as an action emits it, with its audience and effects. */
export interface Emission {
  organization_id: OrganizationId
  /** Absent for records that contain only effects, which no client receives. */
  event?: { readonly type: string; readonly [field: string]: unknown }
  /**
   * The accounts that get the event. Without an audience, only queues with `all_public_streams` get it, and
   * only if `isPublic` is set.
   */
  to?: Audience
  /** Extra event fields by user id; each account gets only its own. */
  parts?: Readonly<Record<number, object>>
  /**
   * Complete message flags by user id, for accounts whose flags differ from `flagsOfAll`. If set, even to
   * `{}`, the event has `flags` for every reader. Readers outside the audience, who get the event because of
   * `all_public_streams`, get an empty list.
   */
  flags?: Readonly<Record<number, readonly string[]>>
  /** Message flags of all other accounts in the audience. */
  flagsOfAll?: readonly string[]
  /**
   * Adds `local_id` to the event of this one queue, if it belongs to this account, so that the sender's
   * client recognizes its message.
   */
  echo?: { queue: string; user: UserId; local_id: string }
  /** Whether the event concerns a message of a stream that was public when the record was written. */
  isPublic?: boolean
  /**
   * Whether the event may be delivered later: it does not wake polls, and queues get it together with the
   * next other event or by `DeferredWakeups`.
   */
  deferred?: true
  /**
   * The first generation whose queues get the event, if earlier ones know the type but not what it says, such
   * as the change of a new setting. A type that is new as a whole is in `laterTypes` of the contract instead.
   */
  since?: Generation | undefined
  /** Milliseconds since 1970 after which the event is no longer delivered. */
  until?: number
  effects?: readonly Effect[]
  /** The maximum number of events that one queue gets from the record; 1 by default. */
  eventCount?: number
}

/**
 * The record's metadata, stored and sent as JSON beside the event: audience, per-account fields and effects.
 * Its field names must not change, because records written by an older release stay in the log for days.
 */
export type Header = Omit<Emission, 'organization_id' | 'event' | 'eventCount'> & {
  type?: string
  /** Milliseconds since 1970 at which a message began to be sent; for metrics of its delivery. */
  sentAt?: number
}

/** One entry of the log. It occupies the numbers from `seq - eventCount + 1` to `seq`. */
export interface LogRecord {
  readonly seq: number
  readonly eventCount: number
  /**
   * The id of the PostgreSQL transaction that wrote the record; compared with the snapshot of a
   * cut.
   */
  readonly tx: number
  /**
   * Orders records of all organizations by the order of their changes. Role and subscription periods begin
   * and end with these ids.
   */
  readonly outboxId: number
  readonly header: Header
  /** JSON of the emitted event, without an id; null for records that contain only effects. */
  readonly event: string | null
}

/**
 * Records of one organization that the sequencer numbered together. The numbers of an organization have no
 * gaps.
 */
export interface Batch {
  organization_id: OrganizationId
  first_seq: number
  last_seq: number
  /** JSON of the records as the table stores it; null for a hole that a failover left. */
  records: string | null
}

type PackedRecord = [tx: number, outboxId: number, eventCount: number, header: Header, event: string | null]

export function unpackBatch({ first_seq, records }: Batch): LogRecord[] {
  let seq = first_seq - 1
  return (JSON.parse(records ?? '[]') as PackedRecord[]).map(([tx, outboxId, eventCount, header, event]) => {
    seq += eventCount
    return { seq, eventCount, tx, outboxId, header, event }
  })
}

const parsedEvents = new WeakMap<LogRecord, Readonly<Record<string, unknown>>>()

/**
 * Returns the event as an object, parsed once per record. Most records are never parsed: their text
 * is sent as it is.
 */
export function parseEvent(record: LogRecord): Readonly<Record<string, unknown>> {
  let event = parsedEvents.get(record)
  if (!event) {
    event = JSON.parse(record.event ?? '{}') as Record<string, unknown>
    parsedEvents.set(record, event)
  }
  return event
}
