import { isAdministrator, type ListedUser, type PersonChange, Role } from '@oxbow/contract'
import type { RegisterOptions, State } from './state.ts'

export interface ListView {
  hidesExternalAvatars: boolean
  /** The delivery address in the event also belongs into the list, not only to the own account. */
  showsDeliveryEmail: boolean
}

/** Returns a listed user after the change of an event. */
export function changePerson(user: ListedUser, change: PersonChange, view: ListView): ListedUser {
  if ('role' in change) return { ...user, ...flagsOf(change.role) }
  if ('avatar_url' in change) {
    const { avatar_url, avatar_version } = change
    return { ...user, avatar_version, avatar_url: listedAvatar(avatar_url, view.hidesExternalAvatars) }
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

export function flagsOf(role: Role) {
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
 * Whether the lists have null for external avatars, which the client computes itself, though events
 * have the URL. Where addresses are hidden a client cannot compute them, and the lists have the
 * URL.
 */
export function hidesExternalAvatars(
  state: State,
  { client_external_avatar = false }: RegisterOptions,
): boolean {
  return client_external_avatar && (state.realm_email_address_visibility ?? 1) === 1
}

const external = /\/user_avatars\/\d+\/[^/?]+\.svg\?/

export function listedAvatar(url: string | null, hidesExternal: boolean): string | null {
  return hidesExternal && url !== null && external.test(url) ? null : url
}
