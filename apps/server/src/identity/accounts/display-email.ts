import { allowedBy, type Decision, isAdministrator, type Role, refusedBy, type UserId } from '@oxbow/contract'
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
