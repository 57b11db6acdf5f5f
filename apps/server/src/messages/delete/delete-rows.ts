import type { MessageId, OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { releaseClaims } from '../attachments/claim-uploads.ts'

/** Tables whose rows are deleted explicitly. Submessages are deleted by a foreign key. */
const dependentTables = ['user_message', 'message_edit', 'message_stay', 'reaction'] as const

/**
 * Deletes messages, their dependent rows, and uploads that only these messages referred to. The
 * streams must be locked exclusively, and the caller must emit the events about the messages. Read
 * marks are kept: each reader may have one, and they have no effect without the message.
 */
export async function deleteMessages(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly MessageId[],
): Promise<void> {
  if (ids.length === 0) return
  await releaseClaims(tx, organization_id, ids, () => deleteRows(tx, organization_id, ids))
}

async function deleteRows(tx: Tx, organization_id: OrganizationId, ids: readonly MessageId[]): Promise<void> {
  // The messages are deleted first. This waits for transactions that star or react to a message, so
  // that the rows of those transactions are visible and deleted too.
  await sql`
    delete from message where organization_id = ${organization_id} and id = any(${ids}::bigint[])`.execute(tx)
  for (const table of dependentTables) {
    await sql`
      delete from ${sql.table(table)}
      where organization_id = ${organization_id} and message_id = any(${ids}::bigint[])`.execute(tx)
  }
}
