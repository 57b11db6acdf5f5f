import type { Role, UserId } from '@oxbow/contract'

/** What a client asked of its queue when it registered, with nothing left open. Kept with the queue as JSON. */
export interface QueueOptions {
  readonly apply_markdown: boolean
  readonly client_external_avatar: boolean
  readonly slim_presence: boolean
  /** Null: all types. */
  readonly event_types: readonly string[] | null
  readonly all_public_streams: boolean
  readonly include_subscribers: boolean
  readonly notification_settings_null: boolean
  readonly bulk_message_deletion: boolean
  readonly user_avatar_url_field_optional: boolean
  /** The program knows some names by their older forms. */
  readonly legacy_names: boolean
  /** Pairs of operator and operand; only messages that fit all of them. */
  readonly narrow: readonly (readonly [string, string])[]
}

/** Who reads an event, where it matters how it is shown. */
export interface Reader {
  readonly user_id: UserId
  readonly role: Role
}
