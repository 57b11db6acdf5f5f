import type { MessageId, OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { emitFlags } from '../flags/events.ts'
import { canReachStream, eachAccount } from '../visibility.ts'

/**
 * Sends a flag event to users who starred one of these messages and can no longer reach its stream.
 * They must not get the deletion event, because it contains the stream and the topic. Must be
 * called before the messages are deleted.
 */
export async function emitStarRemovals(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly MessageId[],
): Promise<void> {
  const { rows } = await sql<{ user_id: UserId; messages: MessageId[] }>`
    select u.id as user_id, array_agg(m.id order by m.id) as messages
    from user_message note
    join message m on m.organization_id = note.organization_id and m.id = note.message_id
    join user_account u on u.organization_id = note.organization_id and u.id = note.user_id
    where note.organization_id = ${organization_id} and note.message_id = any(${ids}::bigint[]) and note.is_starred
      and not ${canReachStream(eachAccount)}
    group by u.id order by u.id`.execute(tx)
  for (const { user_id, messages } of rows)
    emitFlags(tx, { organization_id, user_id }, 'remove', 'starred', messages)
}
