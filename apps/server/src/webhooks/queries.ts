import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

export interface FoundPerson {
  id: UserId
  full_name: string
  delivery_email: string
}

/** By address or by name, in small letters. */
export async function listPeopleCalled(
  db: Db,
  organization_id: OrganizationId,
  called: readonly string[],
): Promise<FoundPerson[]> {
  const { rows } = await sql<FoundPerson>`
    select id, full_name, delivery_email from user_account
    where organization_id = ${organization_id} and is_active and bot_type is null
      and (lower(delivery_email) = any(${called}::text[]) or lower(full_name) = any(${called}::text[]))`.execute(
    db,
  )
  return rows
}
