import { createHash } from 'node:crypto'
import type { OrganizationId } from '@oxbow/contract'
import type { Db } from '../../../platform/database/database.ts'

/** Finds the conversation of exactly these people, whose ids must be sorted. */
export async function findConversation(
  db: Db,
  organization_id: OrganizationId,
  members: readonly number[],
): Promise<number | undefined> {
  const members_digest = createHash('sha256').update(members.join()).digest()
  const found = await db
    .selectFrom('conversation')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('members_digest', '=', members_digest)
    .executeTakeFirst()
  return found?.id
}
