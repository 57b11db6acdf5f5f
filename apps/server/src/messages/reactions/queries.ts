import { type MessageId, maxReactionBytes } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { ReactionRow, UserRow } from '../../platform/database/tables.ts'
import { isReceived, joinOwn, type Reader } from '../visibility.ts'

export type ReactionEmoji = Pick<ReactionRow, 'reaction_type' | 'emoji_code' | 'emoji_name'>

/**
 * Identifies an emoji independently of its name. The values come from a request, so the emoji may
 * not exist.
 */
export interface EmojiCode {
  reaction_type: string
  emoji_code: string
}

/** A reaction with the fields of its user that clients see. */
export interface ReactionWithUser
  extends Omit<ReactionRow, 'organization_id' | 'id'>,
    Pick<UserRow, 'full_name' | 'delivery_email' | 'bot_type'> {}

/**
 * SQL expression for the size of a row `r` of reaction by a user `u` in a response. Fields that vary little count
 * with a fixed size.
 */
const reactionBytes = sql`(130 + octet_length(r.emoji_name) + octet_length(r.emoji_code)
  + octet_length(u.full_name) + octet_length(u.delivery_email))`

/**
 * Selects the reactions to a message, oldest first, as many as have `maxReactionBytes`. Only messages from before there
 * was a limit, or imported ones, have more.
 */
export const selectReactions = (
  { organization_id }: Reader,
  message_id: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select * from (
    select sized.*, sum(bytes) over (order by id) as own_bytes from (
      select r.message_id, r.id, r.user_id, r.reaction_type, r.emoji_code, r.emoji_name,
        u.full_name, u.delivery_email, u.bot_type, ${reactionBytes} as bytes
      from reaction r
      join user_account u on u.organization_id = r.organization_id and u.id = r.user_id
      where r.organization_id = ${organization_id} and r.message_id = ${message_id}
    ) as sized
  ) as counted
  where own_bytes <= ${sql.lit(maxReactionBytes)}`

/**
 * Returns the name of the first reaction with this emoji, or undefined if there is none. Prevents
 * the removal of that reaction until the transaction ends.
 */
export async function lockChosenName(
  tx: Tx,
  { organization_id }: Reader,
  message: MessageId,
  { reaction_type, emoji_code }: EmojiCode,
): Promise<string | undefined> {
  const { rows } = await sql<{ emoji_name: string }>`
    select emoji_name from reaction
    where organization_id = ${organization_id} and message_id = ${message}
      and reaction_type = ${reaction_type} and emoji_code = ${emoji_code}
    order by id limit 1 for key share`.execute(tx)
  return rows[0]?.emoji_name
}

export interface ReactionTotals {
  /** Number of the reader's own reactions. */
  own_count: number
  /** Size of all reactions in a response. */
  bytes: number
}

/** Counts the reactions to a message. */
export async function countReactions(
  tx: Tx,
  { organization_id, user_id }: Reader,
  message: MessageId,
): Promise<ReactionTotals> {
  const { rows } = await sql<ReactionTotals>`
    select count(*) filter (where r.user_id = ${user_id})::int as own_count,
      coalesce(sum(${reactionBytes}), 0)::float8 as bytes
    from reaction r
    join user_account u on u.organization_id = r.organization_id and u.id = r.user_id
    where r.organization_id = ${organization_id} and r.message_id = ${message}`.execute(tx)
  return rows[0] as ReactionTotals
}

/** Inserts a reaction. Returns false if the user has already reacted with this emoji. */
export async function insertReaction(
  tx: Tx,
  { organization_id, user_id }: Reader,
  message_id: MessageId,
  reacted: ReactionEmoji,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('reaction')
    .values({ organization_id, user_id, message_id, ...reacted })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes a reaction and returns it, or undefined if there was none. */
export async function deleteReaction(
  tx: Tx,
  { organization_id, user_id }: Reader,
  message: MessageId,
  { reaction_type, emoji_code }: EmojiCode,
): Promise<ReactionEmoji | undefined> {
  const { rows } = await sql<ReactionEmoji>`
    delete from reaction
    where organization_id = ${organization_id} and message_id = ${message} and user_id = ${user_id}
      and reaction_type = ${reaction_type} and emoji_code = ${emoji_code}
    returning reaction_type, emoji_code, emoji_name`.execute(tx)
  return rows[0]
}

/**
 * Gives a user who reacted to an undelivered message a `user_message` row, so that the user keeps
 * access to the message. Waits for an edit in progress: it sets the flags of existing rows, so the
 * event of the reaction must not come before its event. Does nothing, and does not wait, if the
 * message was delivered to the user.
 */
export async function insertHistoricalRow(tx: Tx, reader: Reader, message: MessageId): Promise<void> {
  const { organization_id, user_id } = reader
  await sql`
    insert into user_message (organization_id, user_id, message_id, is_private, is_historical)
    select m.organization_id, ${user_id}, m.id, false, true
    from message m ${joinOwn(reader)}
    where m.organization_id = ${organization_id} and m.id = ${message} and not ${isReceived(reader)}
    for share of m
    on conflict (organization_id, user_id, message_id) do nothing`.execute(tx)
}
