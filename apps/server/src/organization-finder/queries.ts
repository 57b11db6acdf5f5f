import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

export interface FoundOrganization {
  name: string
  subdomain: string
}

/** Maximum number of organizations in one e-mail. */
const maxOrganizations = 100

/** Lists by name the active organizations in which an active account has this address. */
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
