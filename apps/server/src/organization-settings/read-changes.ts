import {
  ApiError,
  type api,
  countCharacters,
  languages,
  type ParamsOf,
  Role,
  type StreamId,
} from '@oxbow/contract'
import type { Updateable } from 'kysely'
import { closeMethods } from '../organization/authentication-methods.ts'
import { limitedPlan } from '../organization/plans.ts'
import { videoChatProviders } from '../organization/state.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow, Tables } from '../platform/database/tables.ts'

export type Params = ParamsOf<typeof api.organization.update>
export type Changes = Updateable<Tables['organization']>

const longestName = 40
const longestDescription = 1_000
/** What the columns of seconds and days can hold. */
const largest = 2 ** 31 - 1

/** What is wrong with it whatever the organization has now; in the order in which clients know the refusals. */
export function refuseUnfit({ role }: Pick<Actor, 'role'>, given: Params): void {
  const { default_language, description, name, video_chat_provider } = given
  if (default_language !== undefined && !(languages as readonly string[]).includes(default_language))
    throw new ApiError('LANGUAGE_INVALID', { language: default_language })
  if (countCharacters(description ?? '') > longestDescription)
    throw new ApiError('ORGANIZATION_DESCRIPTION_TOO_LONG')
  if (countCharacters(name?.trim() ?? '') > longestName) throw new ApiError('ORGANIZATION_NAME_TOO_LONG')
  const isForOwners = given.authentication_methods !== undefined || given.message_retention_days !== undefined
  if (isForOwners && role !== Role.owner) throw new ApiError('MUST_BE_OWNER')
  const providers = Object.values(videoChatProviders).map(({ id }) => id)
  if (video_chat_provider !== undefined && !providers.includes(video_chat_provider))
    throw new ApiError('VIDEO_CHAT_PROVIDER_INVALID', { provider: video_chat_provider })
  for (const name of numbers) if ((given[name] ?? 0) > largest) throw badValue(name, given[name])
}

const numbers = [
  'message_content_delete_limit_seconds',
  'message_content_edit_limit_seconds',
  'waiting_period_threshold',
] as const

const badValue = (var_name: string, value: unknown) =>
  new ApiError('REQUEST_VARIABLE_INVALID', { var_name, bad_value: String(value) })

/** The columns that become others than they are. */
export function readChanges({ config }: App, before: OrganizationRow, given: Params): Changes {
  const {
    name,
    authentication_methods,
    default_code_block_language,
    message_retention_days,
    notifications_stream_id,
    signup_notifications_stream_id,
    ...asGiven
  } = given
  const wanted: Changes = {
    ...asGiven,
    name: name?.trim(),
    default_code_block_language: default_code_block_language === '' ? null : default_code_block_language,
    message_retention_days: readRetention(before, message_retention_days),
    notifications_stream_id: streamOrNone(notifications_stream_id),
    signup_notifications_stream_id: streamOrNone(signup_notifications_stream_id),
    disabled_authentication_methods:
      authentication_methods && closeMethods(config, before, authentication_methods),
  }
  const different = Object.entries(wanted).filter(
    ([column, value]) => value !== undefined && !isSame(before[column as keyof OrganizationRow], value),
  )
  return Object.fromEntries(different)
}

const isSame = (before: unknown, value: unknown): boolean =>
  before === value || (Array.isArray(value) && String(before) === String(value))

export const isNone = (id: StreamId): boolean => id < 0

const streamOrNone = (id: StreamId | undefined): StreamId | null | undefined =>
  id !== undefined && isNone(id) ? null : id

const forEver = -1

function readRetention(
  { plan_type }: OrganizationRow,
  given: string | number | undefined,
): number | undefined {
  if (given === undefined) return undefined
  if (plan_type === limitedPlan) throw new ApiError('PLAN_TOO_SMALL')
  if (given === 'forever') return forEver
  if (typeof given === 'number' && given > 0 && given <= largest) return given
  throw badValue('message_retention_days', given)
}
