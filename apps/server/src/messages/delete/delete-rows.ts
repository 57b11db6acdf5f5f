import type { MessageId, OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'

const dependent = ['user_message', 'message_edit', 'message_stay', 'reaction'] as const

/**
 * Deletes messages and all that hangs on them. The streams that they are in must be held alone; whoever deletes tells of
 * it. Marks of what is read stay behind: there may be one for each reader, and nobody asks for them any more.
 */
export async function deleteMessages(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly MessageId[],
): Promise<void> {
  if (ids.length === 0) return
  // The messages first: whoever is just starring one or reacting to it is waited for, so that the row they make is seen and goes too.
  await sql`
    delete from message where organization_id = ${organization_id} and id = any(${ids}::bigint[])`.execute(tx)
  for (const table of dependent) {
    await sql`
      delete from ${sql.table(table)}
      where organization_id = ${organization_id} and message_id = any(${ids}::bigint[])`.execute(tx)
  }
}
