import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import {
  type AccountWithEmail,
  displayEmail,
  parseHiddenAddresses,
} from '../../identity/accounts/public-account.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/database.ts'

export interface FoundPerson {
  id: UserId
  full_name: string
  /** The display address. */
  email: string
}

/**
 * Lists people by display address or name, in lower case. Hidden addresses are not compared,
 * because a match would reveal whose address it is.
 */
export async function listPeopleByEmailOrName(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  names: readonly string[],
): Promise<FoundPerson[]> {
  const { rows } = await sql<AccountWithEmail & { full_name: string }>`
    select u.id, full_name, delivery_email, bot_type, email_address_visibility
    from user_account u join organization o on o.id = organization_id
    where organization_id = ${organization_id} and is_active and bot_type is null
      and (lower(delivery_email) = any(${names}::text[]) or lower(full_name) = any(${names}::text[])
        or u.id = any(${parseHiddenAddresses(config, names)}::bigint[]))`.execute(db)
  return rows.map((person) => ({
    id: person.id,
    full_name: person.full_name,
    email: displayEmail(config, person),
  }))
}
