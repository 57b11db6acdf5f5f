import type { OrganizationId, UserId } from '@oxbow/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'

type ListedSession = Pick<
  Selectable<Tables['session']>,
  'id' | 'created_at' | 'last_seen_at' | 'user_agent' | 'address' | 'is_trusted'
>

/** Lists the sessions of an account that have not expired, the most recently used first. */
export async function listSessionRows(
  db: Db,
  organization_id: OrganizationId,
  user_id: UserId,
): Promise<ListedSession[]> {
  return db
    .selectFrom('session')
    .select(['id', 'created_at', 'last_seen_at', 'user_agent', 'address', 'is_trusted'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
