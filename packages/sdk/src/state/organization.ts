import type { ListedUser, OrganizationEvent } from '@oxbow/contract'
import { isAllowedByPolicy, prefixWithRealm } from '@oxbow/contract/plain'
import { getListedAvatarUrl, hidesExternalAvatars } from './person.ts'
import { changeEach, withFields } from './shared.ts'
import { type RegisterOptions, type State, withFetched } from './state.ts'

const limitedPlan = 2

export function applyOrganizationEvent(
  state: State,
  event: OrganizationEvent,
  options: RegisterOptions,
): State {
  // This event ends the queue and changes no part of the state.
  if (event.op === 'deactivated') return state
  if (event.op === 'update_dict') return applyUpdateDict(state, event)
  const changed = withFetched(state, { [`realm_${event.property}`]: event.value })
  switch (event.property) {
    case 'plan_type':
      return withFetched(changed, {
        chat_plan_is_not_limited: event.value !== limitedPlan,
        ...(event.extra_data && { realm_upload_quota: event.extra_data.upload_quota }),
      })
    case 'create_stream_policy':
    case 'invite_to_stream_policy':
    case 'waiting_period_threshold':
      return applyPolicies(changed)
    case 'email_address_visibility':
      return hidesExternalAvatars(changed, options) ? clearExternalAvatars(changed) : changed
    default:
      return changed
  }
}

/** Sets external avatar URLs to null. The client computes them from addresses, which are now visible. */
function clearExternalAvatars(state: State): State {
  const { realm_users = [], realm_non_active_users = [] } = state
  const clear = (user: ListedUser) =>
    withFields(user, { avatar_url: getListedAvatarUrl(user.avatar_url, true) })
  return withFetched(state, {
    realm_users: changeEach(realm_users, clear),
    realm_non_active_users: changeEach(realm_non_active_users, clear),
  })
}

type UpdateDictEvent = Extract<OrganizationEvent, { op: 'update_dict' }>

function applyUpdateDict(state: State, { data }: UpdateDictEvent): State {
  const changed = withFetched(state, prefixWithRealm(data) as Partial<State>)
  if (!('authentication_methods' in data) || !data.authentication_methods) return changed
  const { Email = false, LDAP = false } = data.authentication_methods
  return withFetched(changed, { realm_email_auth_enabled: Email, realm_password_auth_enabled: Email || LDAP })
}

/**
 * Recomputes what the account may do. If policies or accounts were not fetched, the state does not
 * change.
 */
function applyPolicies(state: State): State {
  const me = state.realm_users?.find(({ user_id }) => user_id === state.user_id)
  const { realm_create_stream_policy, realm_invite_to_stream_policy, realm_waiting_period_threshold } = state
  if (
    !me ||
    realm_create_stream_policy === undefined ||
    realm_invite_to_stream_policy === undefined ||
    realm_waiting_period_threshold === undefined
  )
    return state
  return withFetched(state, {
    can_create_streams: isAllowedByPolicy(realm_create_stream_policy, realm_waiting_period_threshold, me),
    can_subscribe_other_users: isAllowedByPolicy(
      realm_invite_to_stream_policy,
      realm_waiting_period_threshold,
      me,
    ),
  })
}
