import { hash } from 'node:crypto'
import { isAdministrator, Role, type User, type UserId } from '@oxbow/contract'
import { displayEmail, visibleTo } from '../organization/display-email.ts'
import type { Config } from '../platform/config/settings.ts'
import type { ProfileValues, ShownUser } from './queries.ts'

/** Who looks, and what they asked to see. */
export interface View {
  viewerRole: Role
  clientComputesAvatars: boolean
  withProfile: boolean
}

type Pictured = Pick<ShownUser, 'delivery_email' | 'avatar_source' | 'avatar_version'>

export function avatarUrl(config: Config, user: Pictured, size = ''): string {
  if (config.avatar_provider_url === 'off')
    return `/static/images/default-avatar.png?v=${user.avatar_version}`
  const digest = hash('md5', user.delivery_email.toLowerCase())
  return `${config.avatar_provider_url}/avatar/${digest}?d=identicon${size}&v=${user.avatar_version}`
}

/** What an account is told of its own picture. */
export function viewAvatar(config: Config, user: Pictured) {
  return {
    avatar_source: user.avatar_source === 'external' ? ('G' as const) : ('U' as const),
    avatar_url: avatarUrl(config, user),
    avatar_url_medium: avatarUrl(config, user, '&s=500'),
  }
}

/** Whether the picture comes from the provider, which finds it by the address. */
export function isExternal(config: Config, user: Pictured): boolean {
  return user.avatar_source === 'external' && config.avatar_provider_url !== 'off'
}

export function viewUser(config: Config, user: ShownUser, view: View): User {
  return {
    ...viewCommon(config, user, view.viewerRole),
    avatar_url: leavesAvatarToClient(config, user, view) ? null : avatarUrl(config, user),
    bot_type: user.bot_type,
    ...(user.bot_type !== null && { bot_owner_id: user.bot_owner_id }),
    ...(user.bot_type === null && view.withProfile && { profile_data: viewProfile(user.profile_values) }),
  }
}

export function viewOwnUser(config: Config, user: ShownUser) {
  return {
    ...viewCommon(config, user, user.role),
    avatar_url: avatarUrl(config, user),
    ...(user.bot_type === null && { profile_data: viewProfile(user.profile_values) }),
  }
}

function viewCommon(config: Config, user: ShownUser, viewerRole: Role) {
  const { id, role, delivery_email } = user
  const revealed = user.email_address_visibility === visibleTo.administrators && isAdministrator(viewerRole)
  return {
    user_id: id as UserId,
    email: displayEmail(config, user),
    ...(revealed && { delivery_email }),
    full_name: user.full_name,
    is_bot: user.bot_type !== null,
    is_admin: isAdministrator(role),
    is_owner: role === Role.owner,
    is_guest: role === Role.guest,
    is_active: user.is_active,
    avatar_version: user.avatar_version,
    timezone: user.timezone,
    date_joined: isoTimestamp(user.date_joined),
  }
}

/** A client computes a URL from the real address, so it cannot where addresses are hidden. */
function leavesAvatarToClient(config: Config, user: ShownUser, view: View): boolean {
  return (
    view.clientComputesAvatars &&
    isExternal(config, user) &&
    user.email_address_visibility === visibleTo.everyone
  )
}

function viewProfile(values: ProfileValues | null): NonNullable<User['profile_data']> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([field, { value, rendered_value }]) => [
      field,
      rendered_value === null ? { value } : { value, rendered_value },
    ]),
  )
}

/** `2019-10-20T07:50:53.728000+00:00`; no fraction where it is zero, as existing clients know it. */
function isoTimestamp(date: Date): string {
  const [seconds, fraction] = [date.toISOString().slice(0, 19), date.getUTCMilliseconds()]
  return fraction === 0 ? `${seconds}+00:00` : `${seconds}.${String(fraction).padStart(3, '0')}000+00:00`
}
