import { BotType, isAdministrator, Role, type User, type UserId } from '@oxbow/contract'
import {
  type AvatarOwner,
  avatarUrl,
  canClientComputeAvatar,
  canSeeDeliveryEmail,
  defaultAvatarUrl,
  displayEmail,
} from '../../identity/accounts/public-account.ts'
import type { SystemAccount } from '../../identity/accounts/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { ProfileValues, ShownUser } from './queries.ts'

/** The viewer's role, and the options of the request. */
export interface ViewOptions {
  viewerRole: Role
  clientComputesAvatars: boolean
  withProfile: boolean
}

/** Parts of the app that views need. */
export type ViewDependencies = Pick<App, 'config' | 'secrets'>

/** Returns the avatar fields that an account sees about itself. */
export function viewAvatar(app: ViewDependencies, user: AvatarOwner) {
  return {
    avatar_source: user.avatar_source === 'external' ? ('G' as const) : ('U' as const),
    avatar_url: avatarUrl(app, user),
    avatar_url_medium: avatarUrl(app, user, 'medium'),
  }
}

export function viewUser(app: ViewDependencies, user: ShownUser, view: ViewOptions): User {
  const isLeftToClient = view.clientComputesAvatars && canClientComputeAvatar(user)
  return {
    ...viewCommon(app.config, user, view.viewerRole),
    avatar_url: isLeftToClient ? null : avatarUrl(app, user),
    bot_type: user.bot_type,
    ...(user.bot_type !== null && { bot_owner_id: user.bot_owner_id }),
    ...(user.bot_type === null && view.withProfile && { profile_data: viewProfile(user.profile_values) }),
  }
}

export function viewOwnUser(app: ViewDependencies, user: ShownUser) {
  return {
    ...viewCommon(app.config, user, user.role),
    avatar_url: avatarUrl(app, user),
    ...(user.bot_type === null && { profile_data: viewProfile(user.profile_values) }),
  }
}

/** Returns a system account, such as the notification bot. System accounts never change. */
export function viewSystemAccount({ id, email, full_name }: SystemAccount) {
  return {
    user_id: id,
    email,
    full_name,
    is_bot: true,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    is_active: true,
    avatar_version: 1,
    avatar_url: defaultAvatarUrl,
    timezone: '',
    date_joined: '1970-01-01T00:00:00+00:00',
    bot_type: BotType.generic,
    bot_owner_id: null,
    is_cross_realm_bot: true as const,
  }
}

function viewCommon(config: Config, user: ShownUser, viewerRole: Role) {
  const { id, role, delivery_email } = user
  return {
    user_id: id as UserId,
    email: displayEmail(config, user),
    ...(canSeeDeliveryEmail(user, viewerRole) && { delivery_email }),
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

function viewProfile(values: ProfileValues | null): NonNullable<User['profile_data']> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([field, { value, rendered_value }]) => [
      field,
      rendered_value === null ? { value } : { value, rendered_value },
    ]),
  )
}

/**
 * Formats a time as `2019-10-20T07:50:53.728000+00:00`, without the fraction if it is zero, as
 * clients expect.
 */
function isoTimestamp(date: Date): string {
  const [seconds, fraction] = [date.toISOString().slice(0, 19), date.getUTCMilliseconds()]
  return fraction === 0 ? `${seconds}+00:00` : `${seconds}.${String(fraction).padStart(3, '0')}000+00:00`
}
