import type { OrganizationId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'

/** Returns whether the organization has any account, active or not. */
export async function hasAccounts(db: Db, organization_id: OrganizationId): Promise<boolean> {
  const found = await db
    .selectFrom('user_account')
    .select('id')
    .where('organization_id', '=', organization_id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
