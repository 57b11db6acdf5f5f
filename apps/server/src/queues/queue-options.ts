import { type api, mergeNarrowTerms, type ParamsOf, resolveLaterNames } from '@oxbow/contract'
import type { NarrowFilters } from '../events/delivery/narrow.ts'
import type { QueueOptions } from '../events/queue-options.ts'
import type { Actor } from '../platform/actor.ts'
import type { Config } from '../platform/config/settings.ts'
import type { BotDefaults } from './bot-defaults.ts'

type RegisterParams = ParamsOf<typeof api.events.register>

/** Returns the queue options with defaults applied. Throws for unknown narrow operators. */
export function readQueueOptions(
  params: RegisterParams,
  { legacyNames: legacy_names, generation }: Pick<Actor, 'legacyNames' | 'generation'>,
  defaults: BotDefaults,
  narrows: NarrowFilters,
): QueueOptions {
  const narrowTerms = ((params.narrow ?? []) as unknown as [string, string][]).map(
    ([operator, operand]): [string, string] => {
      const resolved = resolveLaterNames(operator, operand)
      return [resolved.operator, resolved.operand]
    },
  )
  const requestedTerms = mergeNarrowTerms(narrowTerms)
  narrows.refuseUnknownOperators(requestedTerms)
  const narrow = requestedTerms.length > 0 ? requestedTerms : defaults.narrow
  const { client_capabilities: capabilities = {} } = params
  const { user_list_on_demand = false } = capabilities
  return {
    apply_markdown: params.apply_markdown ?? false,
    client_external_avatar: params.client_external_avatar ?? false,
    // Without the list of users, clients cannot keep presences by e-mail address current.
    slim_presence: params.slim_presence === true || user_list_on_demand,
    event_types: params.event_types ?? null,
    all_public_streams: params.all_public_streams ?? defaults.all_public_streams,
    include_subscribers: params.include_subscribers ?? false,
    notification_settings_null: capabilities.notification_settings_null ?? false,
    bulk_message_deletion: capabilities.bulk_message_deletion ?? false,
    user_avatar_url_field_optional: capabilities.user_avatar_url_field_optional ?? false,
    ...(user_list_on_demand && { user_list_on_demand }),
    legacy_names,
    generation,
    narrow,
  }
}

/**
 * Returns the types of state to read, or null for all. By default these are the queue's event
 * types.
 */
export function readFetchedTypes(params: RegisterParams, legacyNames: boolean): ReadonlySet<string> | null {
  const types = params.fetch_event_types ?? params.event_types ?? null
  if (types === null) return null
  const fetched = new Set(types)
  // Newer versions of the legacy clients use this name to request both older types.
  if (legacyNames && fetched.has('user_settings')) {
    fetched.add('update_display_settings').add('update_global_notifications')
  }
  return fetched
}

/** Queues with a shorter lifespan could expire before the time of their last poll is saved. */
const minLifespanSeconds = 60

/** Returns the lifespan in seconds, clamped to the configured limits. 0 means the default. */
export function readLifespan(config: Config, requested = 0): number {
  const { queue_lifespan_seconds: usual, queue_lifespan_limit_seconds: limit } = config
  return requested === 0
    ? usual
    : Math.min(Math.max(requested, Math.min(minLifespanSeconds, usual)), Math.max(limit, usual))
}

const optionNames = [
  'apply_markdown',
  'client_external_avatar',
  'slim_presence',
  'event_types',
  'all_public_streams',
  'include_subscribers',
  'client_capabilities',
  'fetch_event_types',
  'narrow',
  'queue_lifespan_secs',
] as const satisfies (keyof RegisterParams)[]

export function hasQueueOptions(params: Pick<RegisterParams, (typeof optionNames)[number]>): boolean {
  return optionNames.some((name) => params[name] !== undefined)
}
