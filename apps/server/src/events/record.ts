import type { OrganizationId, Role, UserId } from '@oxbow/contract'

/**
 * Who gets an event: anyone whom one of these names, but for those whom `except` names. It is decided as of the
 * moment the record was written, without reading the database, on any node and at any later time.
 */
export interface Audience {
  users?: readonly UserId[]
  /** Subscribers of a stream. */
  stream?: number
  /** With `stream`: also those who were subscribed once and no longer are. */
  former?: true
  /**
   * Of the subscribers of `stream` only those who were also subscribed to this stream at this outbox id: who got a
   * message when it was sent, where its history is not for those who came later.
   */
  received?: { stream: number; at: number }
  /** Active accounts with one of these roles. */
  roles?: readonly Role[] | 'everyone'
  /** Leaves bots out of `roles` and `stream`. */
  peopleOnly?: boolean
  /** Leaves subscribers of this stream out of `roles` and `stream`, and of those who ask for all public streams; with `former` also those who were subscribed once. */
  unless?: { stream: number; former?: true }
  except?: readonly UserId[]
  /** Leaves out queues that ask for all public streams: another record tells them. */
  unlessWidened?: true
  /** As it was at another outbox id than the record's own: who was there before this very change. */
  asOf?: number
}

/** What a record changes about who sees what, or about what nodes remember. Applied by every node, in order. */
export type Effect =
  /** From this outbox id on the account has this role; null: it is deactivated, and its queues and polls end. */
  | { kind: 'role'; user: UserId; role: Role | null; at: number }
  | { kind: 'subscriptions'; users: readonly UserId[]; stream: number; subscribed: boolean; at: number }
  /** Every subscription to the stream ends. */
  | { kind: 'archive'; stream: number; at: number }
  /** The account's key is another one: its polls end, its queues stay. */
  | { kind: 'credentials'; user: UserId }
  /** Something that is shown of the account changed. */
  | { kind: 'user'; user: UserId }
  /** With a subject: only what nodes remember under that name. */
  | { kind: 'organization'; subject?: string }
  /** Nobody is let in any more: whoever listens is told so. */
  | { kind: 'deactivation' }
  | { kind: 'queues'; ended: readonly string[] }

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>

/** An event as an action makes it. */
export interface Emission {
  organization_id: OrganizationId
  /** Absent for records that are for nodes only. */
  event?: { readonly type: string; readonly [field: string]: unknown }
  to?: Audience
  /** Fields that only this account gets, beside the event's own. */
  parts?: Readonly<Record<number, object>>
  /**
   * Flags of a message for those who have any of their own, all of them. Where this is given, and be it empty, everyone
   * gets `flags`: those whom the record only reaches because they ask for all public streams have none.
   */
  flags?: Readonly<Record<number, readonly string[]>>
  /** Flags of all others whom the record is meant for. */
  flagsOfAll?: readonly string[]
  /** One queue hears that the message is the one it knows by this id of its own, if it belongs to this account. */
  echo?: { queue: string; user: UserId; local_id: string }
  /** About a message of a stream that was public when this was written. */
  isPublic?: boolean
  /** Nobody is woken for it at once: queues get it with what else comes, or in their round (`delivery/rounds.ts`). */
  unhurried?: true
  /** Of no use after this time, in milliseconds since 1970: queues that are read later do not get it. */
  until?: number
  effects?: readonly Effect[]
  /** The most events that the record becomes for any queue; 1 where nothing is said. */
  width?: number
}

/** What travels beside the event. */
export type Header = Omit<Emission, 'organization_id' | 'event' | 'width'> & { type?: string }

/** One entry of the log. It takes the numbers from `seq - width + 1` to `seq`. */
export interface LogRecord {
  readonly seq: number
  readonly width: number
  readonly tx: number
  readonly outboxId: number
  readonly header: Header
  /** JSON of the event as it was emitted, without an id. */
  readonly event: string | null
}

/** What the sequencer writes and carriers carry. Numbers are dense within an organization. */
export interface Batch {
  organization_id: OrganizationId
  first_seq: number
  last_seq: number
  /** JSON as the table has it; null for a hole that a failover left. */
  records: string | null
}

type Packed = [tx: number, outboxId: number, width: number, header: Header, event: string | null]

export function unpackBatch({ first_seq, records }: Batch): LogRecord[] {
  let seq = first_seq - 1
  return (JSON.parse(records ?? '[]') as Packed[]).map(([tx, outboxId, width, header, event]) => {
    seq += width
    return { seq, width, tx, outboxId, header, event }
  })
}
