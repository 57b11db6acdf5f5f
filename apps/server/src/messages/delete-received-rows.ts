import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'

/**
 * Deletes an account's `user_message` rows (stars, mentions and similar) for messages that are in
 * these streams or were sent to them. Such a row would grant access to its message. Rows of private
 * messages stay.
 */
export async function deleteReceivedRows(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
  streams: readonly Pick<StreamRow, 'id'>[],
): Promise<void> {
  await sql`
    delete from user_message own using message m
    where own.organization_id = ${organization_id} and own.user_id = ${user_id} and not own.is_private
      and m.organization_id = own.organization_id and m.id = own.message_id
      and (m.recipient_id = any(${streams.map(({ id }) => id)}::bigint[])
        or m.sent_recipient_id = any(${streams.map(({ id }) => id)}::bigint[]))`.execute(tx)
}
