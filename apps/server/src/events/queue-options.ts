import { defaultGeneration, type Generation } from '@oxbow/contract'

/** Options of a queue after defaults were applied. Stored with the queue as JSON. */
export interface QueueOptions {
  readonly apply_markdown: boolean
  readonly client_external_avatar: boolean
  readonly slim_presence: boolean
  /** Null for all types. */
  readonly event_types: readonly string[] | null
  readonly all_public_streams: boolean
  readonly include_subscribers: boolean
  readonly notification_settings_null: boolean
  readonly bulk_message_deletion: boolean
  readonly user_avatar_url_field_optional: boolean
  /** Absent in queues of releases that did not have this option. */
  readonly user_list_on_demand?: boolean
  /** Whether events use the older names of some fields, for clients that know only those. */
  readonly legacy_names: boolean
  /**
   * The generation of the program that opened the queue. Events keep its shapes, even if later polls name
   * another. Absent in queues of releases that had only the default generation.
   */
  readonly generation?: Generation
  /**
   * Pairs of operator and operand. Only messages that match all pairs are delivered; events about other
   * things are always delivered.
   */
  readonly narrow: readonly (readonly [string, string])[]
}

export const generationOf = ({
  generation = defaultGeneration,
}: Pick<QueueOptions, 'generation'>): Generation => generation
