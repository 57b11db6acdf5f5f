import type { ListedUser, PersonChange } from '@oxbow/contract'
import { isAdministrator, Role } from '@oxbow/contract/plain'
import type { RegisterOptions, State } from './state.ts'

export interface ListView {
  hidesExternalAvatars: boolean
  /**
   * Whether the list of users contains delivery addresses. Otherwise only the account's own entry
   * has one.
   */
  showsDeliveryEmail: boolean
}

/** Returns a listed user after a change. */
export function applyPersonChange(user: ListedUser, change: PersonChange, view: ListView): ListedUser {
  if ('role' in change) return { ...user, ...getRoleFields(change.role) }
  if ('avatar_url' in change) {
    const { avatar_url, avatar_version } = change
    return { ...user, avatar_version, avatar_url: getListedAvatarUrl(avatar_url, view.hidesExternalAvatars) }
  }
  if ('custom_profile_field' in change) return changeProfile(user, change.custom_profile_field)
  if ('delivery_email' in change) {
    const { delivery_email, ...rest } = user
    if (change.delivery_email === null) return rest
    return view.showsDeliveryEmail ? { ...rest, delivery_email: change.delivery_email } : user
  }
  if ('new_email' in change) return { ...user, email: change.new_email }
  return { ...user, ...change }
}

export function getRoleFields(role: Role) {
  return { is_admin: isAdministrator(role), is_owner: role === Role.owner, is_guest: role === Role.guest }
}

type ProfileChange = Extract<PersonChange, { custom_profile_field: unknown }>['custom_profile_field']

function changeProfile(user: ListedUser, { id, value, rendered_value }: ProfileChange): ListedUser {
  const { [id]: _, ...others } = user.profile_data ?? {}
  if (value === null) return { ...user, profile_data: others }
  const stored = rendered_value === undefined ? { value } : { value, rendered_value }
  return { ...user, profile_data: { ...others, [id]: stored } }
}

/**
 * Returns whether lists of users have null as `avatar_url` for avatars that the client computes
 * from the e-mail address. Events always contain the URL, and so do lists if addresses are hidden.
 */
export function hidesExternalAvatars(
  state: State,
  { client_external_avatar = false }: RegisterOptions,
): boolean {
  return client_external_avatar && (state.realm_email_address_visibility ?? 1) === 1
}

const externalAvatarUrl = /\/user_avatars\/\d+\/[^/?]+\.svg\?/

export function getListedAvatarUrl(url: string | null, hidesExternal: boolean): string | null {
  return hidesExternal && url !== null && externalAvatarUrl.test(url) ? null : url
}
