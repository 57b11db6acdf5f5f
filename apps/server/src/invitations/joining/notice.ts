import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { enqueueNotices } from '../../streams/notices.ts'
import type { Inviter } from './queries.ts'

/** Notifies the inviter that the invitation was accepted, unless the inviter is a bot. */
export async function enqueueAcceptanceNotice(tx: Tx, user: UserRow, inviter: Inviter): Promise<void> {
  if (inviter.bot_type !== null) return
  const content = `@_**${user.full_name}|${user.id}** accepted your invitation to join.`
  const notice = { users: [inviter.id], content }
  await enqueueNotices(tx, user.organization_id, user, [notice])
}
