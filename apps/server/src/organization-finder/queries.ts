import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

export interface FoundOrganization {
  name: string
  subdomain: string
}

/** An e-mail lists at most this many organizations. */
const maxOrganizations = 100

/** Lists the active organizations in which a person with this address has an active account, by name. */
export async function listOrganizationsOf(db: Db, email: string): Promise<FoundOrganization[]> {
  // Addresses are indexed per organization, so this does one index lookup for each organization.
  const { rows } = await sql<FoundOrganization>`
    select organization.name, organization.subdomain
    from organization cross join lateral (
      select from user_account u
      where u.organization_id = organization.id and lower(u.delivery_email) = ${email.toLowerCase()}
        and u.is_active and u.bot_type is null
      limit 1) as account
    where organization.deactivated_at is null
    order by organization.name, organization.subdomain limit ${maxOrganizations}`.execute(db)
  return rows
}
