import { compareCodePoints } from '@oxbow/contract'
import { type AccountWithEmail, displayEmail } from '../identity/accounts/public-account.ts'
import type { Config } from '../platform/config/settings.ts'

/** A member of a conversation. */
export interface Participant extends Omit<AccountWithEmail, 'email_address_visibility'> {
  full_name: string
}

/**
 * Builds the protocol's list of a conversation's members. Two members are sorted by address, more
 * by id.
 */
export function viewPeople(
  config: Config,
  organization: Pick<AccountWithEmail, 'email_address_visibility'>,
  people: readonly Participant[],
) {
  const { email_address_visibility } = organization
  const recipients = people.map((person) => ({
    id: person.id,
    email: displayEmail(config, { ...person, email_address_visibility }),
    full_name: person.full_name,
    is_mirror_dummy: false,
  }))
  return people.length > 2
    ? recipients.sort((a, b) => a.id - b.id)
    : recipients.sort((a, b) => compareCodePoints(a.email, b.email))
}
