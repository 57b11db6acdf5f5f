import type { ListedUser, ProfileFieldsEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

/** Replaces the fields, and removes all users' values of fields that no longer exist. */
export function applyProfileFieldsEvent(state: State, { fields }: ProfileFieldsEvent): State {
  const known = new Set(fields.map(({ id }) => String(id)))
  const { realm_users, realm_non_active_users } = state
  return withFetched(state, {
    custom_profile_fields: fields,
    ...(realm_users && { realm_users: withoutUnknownFields(realm_users, known) }),
    ...(realm_non_active_users && {
      realm_non_active_users: withoutUnknownFields(realm_non_active_users, known),
    }),
  })
}

function withoutUnknownFields(users: ListedUser[], known: ReadonlySet<string>): ListedUser[] {
  const isGone = (field: string) => !known.has(field)
  if (!users.some(({ profile_data = {} }) => Object.keys(profile_data).some(isGone))) return users
  return users.map((user) => {
    const values = Object.entries(user.profile_data ?? {})
    const kept = values.filter(([field]) => known.has(field))
    return kept.length === values.length ? user : { ...user, profile_data: Object.fromEntries(kept) }
  })
}
