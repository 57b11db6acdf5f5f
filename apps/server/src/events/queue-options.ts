import type { Role, UserId } from '@oxbow/contract'

/** Options of a queue after defaults were applied. Stored with the queue as JSON. */
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
  /** Absent in queues of releases that did not know it. */
  readonly user_list_on_demand?: boolean
  /** Events use the older names of some fields, for clients that only know those. */
  readonly legacy_names: boolean
  /**
   * Pairs of operator and operand. Only messages that match all of them are delivered; other events
   * always are.
   */
  readonly narrow: readonly (readonly [string, string])[]
}

/** The account that an event is rendered for, where its view depends on the reader. */
export interface Reader {
  readonly user_id: UserId
  readonly role: Role
}
