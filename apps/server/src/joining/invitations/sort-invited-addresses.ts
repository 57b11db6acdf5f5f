import { isEmailAddress, normalizeEmail } from '../../identity/accounts/email-address.ts'
import { type EmailRuleViolation, readEmailRules } from '../../organization/email-rules.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { listAccountsWithAddresses, listReservedAddresses } from './queries.ts'

/** The address, why it is not invited, and whether it belongs to a deactivated account. */
export type RefusedAddress = [email: string, text: string, isDeactivated: boolean]

export interface SortedAddresses {
  invitable: string[]
  /** Invalid addresses. If there are any, nobody is invited. */
  invalid: RefusedAddress[]
  /**
   * Addresses that are skipped, because they have an account or are reserved. All other addresses
   * are invited.
   */
  known: RefusedAddress[]
}

const violationTexts: Record<EmailRuleViolation, string> = {
  outside: 'Outside your domain.',
  disposable: 'Please use your real email address.',
  plus: 'Email addresses containing + are not allowed.',
}

/**
 * Checks addresses with two statements, regardless of their number. With `isSecret`, the result
 * does not show which addresses have an account, for inviters who may not learn this.
 */
export async function sortInvitedAddresses(
  db: Db,
  organization: OrganizationRow,
  addresses: readonly string[],
  isSecret: boolean,
): Promise<SortedAddresses> {
  const rules = await readEmailRules(db, organization)
  const invalid: RefusedAddress[] = []
  const valid: string[] = []
  for (const address of addresses) {
    const violation = isEmailAddress(address) ? rules(address) : 'malformed'
    if (!violation) valid.push(normalizeEmail(address))
    else
      invalid.push([
        address,
        violation === 'malformed' ? 'Invalid address.' : violationTexts[violation],
        false,
      ])
  }
  const folded = valid.map((address) => address.toLowerCase())
  const holders = await listAccountsWithAddresses(db, organization.id, folded)
  const activeByAddress = new Map(
    holders.map((holder) => [holder.delivery_email.toLowerCase(), holder.is_active]),
  )
  const reserved = await listReservedAddresses(db, folded)

  const invitable: string[] = []
  const known: RefusedAddress[] = []
  for (const [index, address] of valid.entries()) {
    const key = folded[index] ?? ''
    if (reserved.has(key)) known.push([address, 'Reserved for system bots.', false])
    else if (isSecret) invitable.push(address)
    else if (activeByAddress.get(key) === false) known.push([address, 'Account has been deactivated.', true])
    else if (activeByAddress.has(key)) known.push([address, 'Already has an account.', false])
    else invitable.push(address)
  }
  return { invitable, invalid, known }
}
