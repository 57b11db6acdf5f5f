import type { UserId } from '@oxbow/contract'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { hiddenEmailDomain } from './email-address.ts'

export const visibleTo = { everyone: 1, administrators: 3, nobody: 4 } as const

/** Whom an address is shown of. */
export type Addressed = Pick<UserRow, 'id' | 'delivery_email' | 'bot_type'> &
  Pick<OrganizationRow, 'email_address_visibility'>

/** The address the API shows: the real one, or one that only the API understands. */
export function displayEmail(config: Config, user: Addressed): string {
  const isShown = user.email_address_visibility === visibleTo.everyone || user.bot_type !== null
  return isShown ? user.delivery_email : `user${user.id}@${hiddenEmailDomain(config)}`
}

/** Whom addresses that stand for hidden ones are of. */
export function idsInHiddenAddresses(config: Config, emails: readonly string[]): UserId[] {
  const end = `@${hiddenEmailDomain(config).toLowerCase()}`
  return emails.flatMap((email) => {
    const [, id] = /^user(\d{1,15})@/.exec(email) ?? []
    return id && email.endsWith(end) ? [Number(id) as UserId] : []
  })
}
