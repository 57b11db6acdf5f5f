import { isAllowedBy, type OrganizationEvent, prefixed } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

const limitedPlan = 2

export function applyOrganizationEvent(state: State, event: OrganizationEvent): State {
  if (event.op === 'update_dict') return applyTogether(state, event)
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
    default:
      return changed
  }
}

type ChangeTogether = Extract<OrganizationEvent, { op: 'update_dict' }>

function applyTogether(state: State, { data }: ChangeTogether): State {
  const changed = withFetched(state, prefixed(data) as Partial<State>)
  if (!('authentication_methods' in data) || !data.authentication_methods) return changed
  const { Email = false, LDAP = false } = data.authentication_methods
  return withFetched(changed, { realm_email_auth_enabled: Email, realm_password_auth_enabled: Email || LDAP })
}

/** Where policies or accounts were not fetched nobody can tell, and what was true before stays. */
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
    can_create_streams: isAllowedBy(realm_create_stream_policy, realm_waiting_period_threshold, me),
    can_subscribe_other_users: isAllowedBy(realm_invite_to_stream_policy, realm_waiting_period_threshold, me),
  })
}
