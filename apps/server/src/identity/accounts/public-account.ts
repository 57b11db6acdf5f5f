import { allowedBy, type Decision, isAdministrator, type Role, refusedBy, type UserId } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { OrganizationRow, UserRow } from '../../platform/database/tables.ts'
import { getHiddenEmailDomain } from './email-address.ts'

export const emailVisibility = { everyone: 1, administrators: 3, nobody: 4 } as const

/** The fields that decide which address of an account is shown. */
export type AccountWithEmail = Pick<UserRow, 'id' | 'delivery_email' | 'bot_type'> &
  Pick<OrganizationRow, 'email_address_visibility'>

/**
 * Returns the display address: the real address, or a placeholder with the user's id that only the
 * API accepts.
 */
export function displayEmail(config: Config, user: AccountWithEmail): string {
  return decidePublicAddress(user).allowed
    ? user.delivery_email
    : `user${user.id}@${getHiddenEmailDomain(config)}`
}

/** Decides whether everyone sees the real address. */
function decidePublicAddress({ email_address_visibility: visibility, bot_type }: AccountWithEmail): Decision {
  if (bot_type !== null) return allowedBy('bot_address')
  if (visibility === emailVisibility.everyone) return allowedBy('addresses_shown')
  const isForAdministrators = visibility === emailVisibility.administrators
  return refusedBy(isForAdministrators ? 'addresses_for_administrators' : 'addresses_hidden')
}

/** Returns whether this role sees delivery addresses in addition to the display addresses. */
export function canSeeDeliveryEmail(
  { email_address_visibility }: Pick<AccountWithEmail, 'email_address_visibility'>,
  role: Role,
): boolean {
  return email_address_visibility === emailVisibility.administrators && isAdministrator(role)
}

/** Returns whether this role sees people's real addresses, in `email` or in `delivery_email`. */
export function canSeeRealAddresses(
  organization: Pick<AccountWithEmail, 'email_address_visibility'>,
  role: Role,
): boolean {
  return (
    organization.email_address_visibility === emailVisibility.everyone ||
    canSeeDeliveryEmail(organization, role)
  )
}

/** Decides whether this role may learn an account's real address. */
export function decideMaySeeAddress(user: AccountWithEmail, role: Role): Decision {
  const decision = decidePublicAddress(user)
  return !decision.allowed && canSeeDeliveryEmail(user, role) ? allowedBy('administrator') : decision
}

/** Returns the user ids in placeholder addresses. Ignores other addresses. */
export function parseHiddenAddresses(config: Config, emails: readonly string[]): UserId[] {
  const end = `@${getHiddenEmailDomain(config).toLowerCase()}`
  return emails.flatMap((email) => {
    const [, id] = /^user(\d{1,15})@/.exec(email) ?? []
    return id && email.endsWith(end) ? [Number(id) as UserId] : []
  })
}

export type AvatarOwner = Pick<UserRow, 'organization_id' | 'id' | 'avatar_source' | 'avatar_version'>

export type AvatarSize = 'small' | 'medium'

/**
 * Returns the URL of the uploaded picture, or of a generated one with the user's initials. The URL
 * never reveals the user's e-mail address.
 */
export function avatarUrl(app: Pick<App, 'secrets'>, user: AvatarOwner, size: AvatarSize = 'small'): string {
  const ending = sizeSuffixes[size] + (user.avatar_source === 'external' ? '.svg' : '.png')
  return `/user_avatars/${user.organization_id}/${avatarName(app, user)}${ending}?v=${user.avatar_version}`
}

/**
 * Suffixes of file names. They are part of the protocol: clients build the URL of the larger
 * picture themselves.
 */
const sizeSuffixes: Record<AvatarSize, string> = { small: '', medium: '-medium' }

/**
 * Returns an unguessable file name. It is the same for all versions of an avatar, so that an old
 * URL shows the current picture.
 */
export function avatarName(
  { secrets }: Pick<App, 'secrets'>,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
): string {
  const digest = secrets.hash(`avatar ${organization_id} ${id}`).toString('hex')
  return `${id}-${digest.slice(0, 40)}`
}

/** The picture of system accounts and of accounts that do not exist. */
export const defaultAvatarUrl = '/static/images/default-avatar.png?v=1'

/**
 * Returns whether clients can compute the avatar's URL from the user's real address. They cannot if
 * addresses are hidden.
 */
export function canClientComputeAvatar(
  user: Pick<AvatarOwner, 'avatar_source'> & Pick<OrganizationRow, 'email_address_visibility'>,
): boolean {
  return user.avatar_source === 'external' && user.email_address_visibility === emailVisibility.everyone
}
