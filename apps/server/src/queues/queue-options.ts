import { type api, mergeNarrowTerms, type ParamsOf, resolveLaterNames } from '@oxbow/contract'
import { refuseUnknownOperators } from '../events/delivery/narrow.ts'
import type { QueueOptions } from '../events/queue-options.ts'
import type { Config } from '../platform/config/settings.ts'
import type { BotDefaults } from './bot-defaults.ts'

type Given = ParamsOf<typeof api.events.register>

/** What was asked for, with the defaults of what was not. */
export function readQueueOptions(given: Given, legacy_names: boolean, defaults: BotDefaults): QueueOptions {
  const named = ((given.narrow ?? []) as unknown as [string, string][]).map(
    ([operator, operand]): [string, string] => {
      const ours = resolveLaterNames(operator, operand)
      return [ours.operator, ours.operand]
    },
  )
  const asked = mergeNarrowTerms(named)
  refuseUnknownOperators(asked)
  const narrow = asked.length > 0 ? asked : defaults.narrow
  const { client_capabilities: capabilities = {} } = given
  return {
    apply_markdown: given.apply_markdown ?? false,
    client_external_avatar: given.client_external_avatar ?? false,
    slim_presence: given.slim_presence ?? false,
    event_types: given.event_types ?? null,
    all_public_streams: given.all_public_streams ?? defaults.all_public_streams,
    include_subscribers: given.include_subscribers ?? false,
    notification_settings_null: capabilities.notification_settings_null ?? false,
    bulk_message_deletion: capabilities.bulk_message_deletion ?? false,
    user_avatar_url_field_optional: capabilities.user_avatar_url_field_optional ?? false,
    legacy_names,
    narrow,
  }
}

/** Null: everything. Without a list of its own, what is delivered is fetched. */
export function fetchedTypes(given: Given, legacyNames: boolean): ReadonlySet<string> | null {
  const types = given.fetch_event_types ?? given.event_types ?? null
  if (types === null) return null
  const fetched = new Set(types)
  // Newer clients of the older product ask for both by this name.
  if (legacyNames && fetched.has('user_settings')) {
    fetched.add('update_display_settings').add('update_global_notifications')
  }
  return fetched
}

/** Shorter ones than this would end between two looks at who polls. */
const shortest = 60

export function readLifespan(config: Config, asked = 0): number {
  const { queue_lifespan_seconds: usual, queue_lifespan_limit_seconds: limit } = config
  return asked === 0 ? usual : Math.min(Math.max(asked, Math.min(shortest, usual)), Math.max(limit, usual))
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
] as const satisfies (keyof Given)[]

export function hasQueueOptions(given: Given): boolean {
  return optionNames.some((name) => given[name] !== undefined)
}
