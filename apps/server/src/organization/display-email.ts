import { allowedBy, type Decision, isAdministrator, type Role, refusedBy, type UserId } from '@oxbow/contract'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { hiddenEmailDomain } from './email-address.ts'

export const visibleTo = { everyone: 1, administrators: 3, nobody: 4 } as const

/** Whom an address is shown of. */
export type Addressed = Pick<UserRow, 'id' | 'delivery_email' | 'bot_type'> &
  Pick<OrganizationRow, 'email_address_visibility'>

/** The address the API shows: the real one, or one that only the API understands. */
export function displayEmail(config: Config, user: Addressed): string {
  return decideAddress(user).allowed ? user.delivery_email : `user${user.id}@${hiddenEmailDomain(config)}`
}

/** Whether everyone is shown the real address. */
function decideAddress({ email_address_visibility: visibility, bot_type }: Addressed): Decision {
  if (bot_type !== null) return allowedBy('bot_address')
  if (visibility === visibleTo.everyone) return allowedBy('addresses_shown')
  const isForSome = visibility === visibleTo.administrators
  return refusedBy(isForSome ? 'addresses_for_administrators' : 'addresses_hidden')
}

/** Whether someone of this role is told the real address beside the one that everyone is shown. */
export function isToldAddresses(
  { email_address_visibility }: Pick<Addressed, 'email_address_visibility'>,
  role: Role,
): boolean {
  return email_address_visibility === visibleTo.administrators && isAdministrator(role)
}

/** Whether someone of this role sees the real addresses of people, in one way or the other. */
export function seesAddresses(
  organization: Pick<Addressed, 'email_address_visibility'>,
  role: Role,
): boolean {
  return organization.email_address_visibility === visibleTo.everyone || isToldAddresses(organization, role)
}

/** Whether someone of this role comes to know the real address. */
export function decideSightOfAddress(user: Addressed, role: Role): Decision {
  const decision = decideAddress(user)
  return !decision.allowed && isToldAddresses(user, role) ? allowedBy('administrator') : decision
}

/** Whom addresses that stand for hidden ones are of. */
export function idsInHiddenAddresses(config: Config, emails: readonly string[]): UserId[] {
  const end = `@${hiddenEmailDomain(config).toLowerCase()}`
  return emails.flatMap((email) => {
    const [, id] = /^user(\d{1,15})@/.exec(email) ?? []
    return id && email.endsWith(end) ? [Number(id) as UserId] : []
  })
}
