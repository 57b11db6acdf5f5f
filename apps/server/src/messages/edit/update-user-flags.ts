import type { UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { RenderedContent } from '../content/message-text.ts'
import { eachAccount, isDelivered, joinOwn } from '../visibility.ts'

type Message = Pick<MessageRow, 'organization_id' | 'id' | 'is_private'>
type FlaggedUsers = Pick<RenderedContent, 'mentioned' | 'alerted'>

/**
 * Updates mention and alert flags after an edit, only for users who received the message. A user to
 * whom a stream message was delivered has a `user_message` row only if a flag is set, so rows may
 * be inserted or deleted.
 */
export async function updateUserFlags(tx: Tx, message: Message, found: FlaggedUsers): Promise<void> {
  const mentioned = [...found.mentioned]
  const alerted = [...found.alerted]
  await sql`
    update user_message
    set is_mentioned = user_id = any(${mentioned}::bigint[]), has_alert_word = user_id = any(${alerted}::bigint[])
    where organization_id = ${message.organization_id} and message_id = ${message.id}
      and (is_mentioned, has_alert_word)
        <> (user_id = any(${mentioned}::bigint[]), user_id = any(${alerted}::bigint[]))`.execute(tx)
  if (message.is_private) return
  await insertFlaggedRows(tx, message, mentioned, alerted)
  await deleteEmptyRows(tx, message)
}

async function insertFlaggedRows(
  tx: Tx,
  { organization_id, id }: Message,
  mentioned: readonly UserId[],
  alerted: readonly UserId[],
): Promise<void> {
  if (mentioned.length === 0 && alerted.length === 0) return
  await sql`
    insert into user_message (organization_id, user_id, message_id, is_private, is_mentioned, has_alert_word)
    select m.organization_id, u.id, m.id, false, u.id = any(${mentioned}::bigint[]), u.id = any(${alerted}::bigint[])
    from message m
    join user_account u on u.organization_id = m.organization_id
      and u.id = any(${[...new Set([...mentioned, ...alerted])]}::bigint[]) and u.is_active
    ${joinOwn(eachAccount)}
    where m.organization_id = ${organization_id} and m.id = ${id} and own.user_id is null and ${isDelivered(eachAccount)}
    on conflict (organization_id, user_id, message_id) do update
      set is_mentioned = excluded.is_mentioned, has_alert_word = excluded.has_alert_word`.execute(tx)
}

/**
 * Deletes rows without flags of users to whom the message was delivered. The rows of other users
 * are kept, because they grant access to the message.
 */
async function deleteEmptyRows(tx: Tx, { organization_id, id }: Message): Promise<void> {
  await sql`
    delete from user_message own
    using message m, user_account u
    where own.organization_id = ${organization_id} and own.message_id = ${id}
      and not (own.is_starred or own.is_collapsed or own.is_mentioned or own.has_alert_word or own.is_historical)
      and m.organization_id = own.organization_id and m.id = own.message_id
      and u.organization_id = own.organization_id and u.id = own.user_id and ${isDelivered(eachAccount)}`.execute(
    tx,
  )
}
