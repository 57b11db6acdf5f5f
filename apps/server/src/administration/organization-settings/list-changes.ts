import {
  ApiError,
  type api,
  countCharacters,
  languages,
  type OrganizationSetting,
  organizationSettings,
  type ParamsOf,
  Role,
  type StreamId,
  storedAmount,
} from '@oxbow/contract'
import type { Updateable } from 'kysely'
import { emailVisibility } from '../../identity/accounts/public-account.ts'
import { listDisabledMethods } from '../../organization/authentication-methods.ts'
import { limitedPlan } from '../../organization/plans.ts'
import { videoChatProviders } from '../../organization/state.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { OrganizationRow, Tables } from '../../platform/database/tables.ts'

export type Params = ParamsOf<typeof api.organization.update>
export type Changes = Updateable<Tables['organization']>

const maxNameCharacters = 40
const maxDescriptionCharacters = 1_000
/** Maximum value of the integer columns. */
const maxColumnInteger = 2 ** 31 - 1

/**
 * Throws for parameters that are invalid regardless of the organization's current settings, in the
 * order in which the protocol reports them.
 */
export function checkParams({ role }: Pick<Actor, 'role'>, params: Params): void {
  const { default_language, description, name, video_chat_provider } = params
  if (default_language !== undefined && !(languages as readonly string[]).includes(default_language))
    throw new ApiError('LANGUAGE_INVALID', { language: default_language })
  if (countCharacters(description ?? '') > maxDescriptionCharacters)
    throw new ApiError('ORGANIZATION_DESCRIPTION_TOO_LONG')
  if (countCharacters(name?.trim() ?? '') > maxNameCharacters)
    throw new ApiError('ORGANIZATION_NAME_TOO_LONG')
  const isForOwners =
    params.authentication_methods !== undefined || params.message_retention_days !== undefined
  if (isForOwners && role !== Role.owner) throw new ApiError('MUST_BE_OWNER')
  const providers = Object.values(videoChatProviders).map(({ id }) => id)
  if (video_chat_provider !== undefined && !providers.includes(video_chat_provider))
    throw new ApiError('VIDEO_CHAT_PROVIDER_INVALID', { provider: video_chat_provider })
  for (const name of amounts) {
    const amount = params[name] as number | undefined
    if ((amount ?? 0) > maxColumnInteger) throw buildValueError(name, amount)
  }
}

const names = Object.keys(organizationSettings) as OrganizationSetting[]
const amounts = names.filter((name) => organizationSettings[name].stored === storedAmount)

const buildValueError = (var_name: string, value: unknown) =>
  new ApiError('REQUEST_VARIABLE_INVALID', { var_name, bad_value: String(value) })

/** Returns the columns whose requested value differs from the current one. */
export function listChanges({ config }: App, before: OrganizationRow, params: Params): Changes {
  const {
    name,
    authentication_methods,
    default_code_block_language,
    message_retention_days,
    notifications_stream_id,
    signup_notifications_stream_id,
    ...plainValues
  } = params
  const requested: Changes = {
    ...plainValues,
    name: name?.trim(),
    default_code_block_language: default_code_block_language === '' ? null : default_code_block_language,
    message_retention_days: parseRetention(before, message_retention_days),
    notifications_stream_id: toStreamOrNull(notifications_stream_id),
    signup_notifications_stream_id: toStreamOrNull(signup_notifications_stream_id),
    disabled_authentication_methods:
      authentication_methods && listDisabledMethods(config, before, authentication_methods),
  }
  const different = Object.entries(requested).filter(
    ([column, value]) => value !== undefined && !isSame(before[column as keyof OrganizationRow], value),
  )
  const changes: Changes = Object.fromEntries(different)
  refuseShownAddressesOfHiddenPeople({ ...before, ...changes } as OrganizationRow, changes)
  return changes
}

/** Messages contain the sender's address, and a guest may read messages of people whom it does not see. */
function refuseShownAddressesOfHiddenPeople(after: OrganizationRow, changes: Changes): void {
  const isChanged = 'guests_see_only_shared_people' in changes || 'email_address_visibility' in changes
  const showsAddresses = after.email_address_visibility === emailVisibility.everyone
  if (isChanged && after.guests_see_only_shared_people && showsAddresses)
    throw new ApiError('GUESTS_NEED_HIDDEN_ADDRESSES')
}

const isSame = (before: unknown, value: unknown): boolean =>
  before === value || (Array.isArray(value) && String(before) === String(value))

export const isNoStream = (id: StreamId): boolean => id < 0

const toStreamOrNull = (id: StreamId | undefined): StreamId | null | undefined =>
  id !== undefined && isNoStream(id) ? null : id

const retainForever = -1

function parseRetention(
  { plan_type }: OrganizationRow,
  days: string | number | undefined,
): number | undefined {
  if (days === undefined) return undefined
  if (plan_type === limitedPlan) throw new ApiError('PLAN_TOO_SMALL')
  if (days === 'forever') return retainForever
  if (typeof days === 'number' && days > 0 && days <= maxColumnInteger) return days
  throw buildValueError('message_retention_days', days)
}
