import { ApiError, type BotType, type Role, type ScheduledMessageId, type UserId } from '@oxbow/contract'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { ScheduledMessageRow, Tables } from '../../platform/database/tables.ts'
import { areJobsHeld } from '../../platform/jobs-hold.ts'
import { wasOwnerNotified } from '../send/notify-bot-owner.ts'

export type SenderKey = Pick<Actor, 'organization_id' | 'user_id'>

export interface Clock {
  /** The time of PostgreSQL, which alone decides what is due. */
  now: Date
  /** The time zone of the account's profile, or an empty text. */
  timezone: string
}

export async function readClock(db: Db, { organization_id, user_id }: SenderKey): Promise<Clock> {
  return db
    .selectFrom('user_account')
    .select([sql<Date>`clock_timestamp()`.as('now'), 'timezone'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
}

/** The columns that the author sees. */
const shownColumns = [
  'id',
  'sender_id',
  'is_reminder',
  'stream_id',
  'topic',
  'people',
  'content',
  'rendered_content',
  'deliver_at',
  'failure',
] as const
export type ShownScheduledMessage = Pick<ScheduledMessageRow, (typeof shownColumns)[number]>

/** Lists an account's scheduled messages in the order in which clients see them. */
export async function listScheduledMessages(
  db: Db,
  { organization_id, user_id }: SenderKey,
): Promise<ShownScheduledMessage[]> {
  return db
    .selectFrom('scheduled_message')
    .select(shownColumns)
    .where('organization_id', '=', organization_id)
    .where('sender_id', '=', user_id)
    .orderBy(sql`date_trunc('second', deliver_at)`)
    .orderBy('id')
    .execute()
}

/**
 * Returns how many scheduled messages an account has, and the bytes of what they contain. Formulas
 * render to dozens of times their length, and a message may have a thousand recipients.
 */
export async function measureScheduledMessages(
  db: Db,
  { organization_id, user_id }: SenderKey,
): Promise<{ messages: number; bytes: number }> {
  return db
    .selectFrom('scheduled_message')
    .select(({ fn }) => fn.countAll<number>().as('messages'))
    .select(
      sql<number>`coalesce(sum(
        octet_length(content) + octet_length(rendered_content) + coalesce(octet_length(widget_content), 0)
        + coalesce(octet_length(array_to_string(people, ',')), 0)), 0)::bigint`.as('bytes'),
    )
    .where('organization_id', '=', organization_id)
    .where('sender_id', '=', user_id)
    .executeTakeFirstOrThrow()
}

/** Also makes sure that the sender has the row which deliveries claim. */
export async function insertScheduledMessage(
  tx: Tx,
  message: Insertable<Tables['scheduled_message']>,
): Promise<ScheduledMessageRow> {
  const { organization_id, sender_id: user_id } = message
  await tx
    .insertInto('scheduled_sender')
    .values({ organization_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx.insertInto('scheduled_message').values(message).returningAll().executeTakeFirstOrThrow()
}

/** Returns the message where it belongs to the account; throws for all others alike. */
export async function getScheduledMessage(
  db: Db,
  { organization_id, user_id }: SenderKey,
  id: ScheduledMessageId,
): Promise<ScheduledMessageRow> {
  const found = await db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('sender_id', '=', user_id)
    .executeTakeFirst()
  if (!found) throw new ApiError('SCHEDULED_MESSAGE_UNKNOWN')
  return found
}

/** Identifies one version of a scheduled message. */
export type Version = Pick<ScheduledMessageRow, 'organization_id' | 'id' | 'revision'>

/** Thrown to roll a transaction back where its version of the message no longer exists. */
export class ChangedMeanwhile extends Error {}

/** Returns undefined where the message was sent, deleted or changed meanwhile. */
export async function updateScheduledMessage(
  tx: Tx,
  { organization_id, id, revision }: Version,
  changes: Updateable<Tables['scheduled_message']>,
): Promise<ScheduledMessageRow | undefined> {
  return tx
    .updateTable('scheduled_message')
    .set({ ...changes, revision: revision + 1 })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Deletes a message that is being sent, and returns by how many seconds it is late. Returns
 * undefined where the message was sent, deleted or changed meanwhile.
 */
export async function deleteVersion(
  tx: Tx,
  { organization_id, id, revision }: Version,
): Promise<{ secondsLate: number } | undefined> {
  return tx
    .deleteFrom('scheduled_message')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning(sql<number>`extract(epoch from clock_timestamp() - deliver_at)::float8`.as('secondsLate'))
    .executeTakeFirst()
}

/** Returns false where the account has no such message. */
export async function deleteScheduledMessage(
  tx: Tx,
  { organization_id, user_id }: SenderKey,
  id: ScheduledMessageId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('scheduled_message')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('sender_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** A claim that is not renewed ends after this time, because its node has died or hangs. */
const claimSeconds = 5

/**
 * Claims the senders of the first due messages whose sender no node has claimed. The claim only
 * keeps nodes out of each other's way and messages in order: that each message is sent once is
 * guaranteed by `deleteVersion`.
 */
export async function claimSenders(db: Db, claim: string, maxMessages: number): Promise<SenderKey[]> {
  const { rows } = await sql<SenderKey>`
    with due as (
      select sender.organization_id, sender.user_id
      from scheduled_message message
      join scheduled_sender sender
        on sender.organization_id = message.organization_id and sender.user_id = message.sender_id
      where message.failure is null and message.attempt_at <= now() and sender.claimed_until <= now()
      order by message.attempt_at
      limit ${maxMessages}
      for update of sender skip locked
    )
    update scheduled_sender sender
    set claimed_until = now() + make_interval(secs => ${claimSeconds}), claimed_by = ${claim}
    from (select distinct organization_id, user_id from due) claimed
    where sender.organization_id = claimed.organization_id and sender.user_id = claimed.user_id
    returning sender.organization_id, sender.user_id`.execute(db)
  return rows
}

/** Lets the claims of a node that still works last longer. */
export async function renewClaims(db: Db, claim: string, senders: readonly SenderKey[]): Promise<void> {
  await sql`
    update scheduled_sender set claimed_until = now() + make_interval(secs => ${claimSeconds})
    where ${isClaimed(claim, senders)}`.execute(db)
}

export async function releaseSenders(db: Db, claim: string, senders: readonly SenderKey[]): Promise<void> {
  await sql`
    update scheduled_sender set claimed_until = '-infinity', claimed_by = null
    where ${isClaimed(claim, senders)}`.execute(db)
}

/** The row is one of `senders` and the claim still holds. Names the keys, because claims have no index. */
const isClaimed = (claim: string, senders: readonly SenderKey[]): RawBuilder<boolean> => sql<boolean>`
  (organization_id, user_id) in (
    select * from unnest(
      ${senders.map(({ organization_id }) => organization_id)}::bigint[], ${senders.map(({ user_id }) => user_id)}::bigint[]))
  and claimed_by = ${claim}`

export interface Agenda {
  isAnyDue: boolean
  /** Whether the sender of a refused message is yet to be notified. */
  isAnyNoticeDue: boolean
  /** Milliseconds until a further message is due; null where none is scheduled. */
  msUntilNext: number | null
}

export async function readAgenda(db: Db): Promise<Agenda> {
  const { rows } = await sql<Agenda>`
    select
      not ${areJobsHeld} and exists (
        select from scheduled_message where failure is null and attempt_at <= now()) as "isAnyDue",
      not ${areJobsHeld} and exists (select from scheduled_message where awaits_notice) as "isAnyNoticeDue",
      (select extract(epoch from min(attempt_at) - now())::float8 * 1000
       from scheduled_message where failure is null and attempt_at > now()) as "msUntilNext"`.execute(db)
  return rows[0] as Agenda
}

/** A message whose time has come, with what is needed to act as its sender. */
export interface DueMessage extends Omit<ScheduledMessageRow, 'rendered_content' | 'awaits_notice'> {
  role: Role
  bot_type: BotType | null
  bot_owner_id: UserId | null
  full_name: string
  is_active: boolean
  api_key_hash: Buffer
  subdomain: string
  is_organization_deactivated: boolean
}

/** Lists due messages of one sender in the order of their times. */
export async function listDueMessages(
  db: Db,
  { organization_id, user_id }: SenderKey,
  limit: number,
): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    select m.organization_id, m.id, m.sender_id, m.is_reminder, m.stream_id, m.topic, m.people, m.content,
      m.widget_content, m.client, m.origin, m.is_read_by_sender, m.deliver_at, m.attempt_at, m.attempts, m.failure, m.revision,
      u.role, u.bot_type, u.bot_owner_id, u.full_name, u.is_active, u.api_key_hash, o.subdomain,
      o.deactivated_at is not null as is_organization_deactivated
    from scheduled_message m
    join user_account u on u.organization_id = m.organization_id and u.id = m.sender_id
    join organization o on o.id = m.organization_id
    where m.organization_id = ${organization_id} and m.sender_id = ${user_id}
      and m.failure is null and m.attempt_at <= now()
    order by m.deliver_at, m.id
    limit ${limit}`.execute(db)
  return rows
}

/** Plans another attempt after an unexpected error. */
export async function postponeAttempt(
  db: Db,
  { organization_id, id, revision }: Version,
  seconds: number,
): Promise<void> {
  await sql`
    update scheduled_message
    set attempts = attempts + 1, attempt_at = now() + make_interval(secs => ${seconds})
    where organization_id = ${organization_id} and id = ${id} and revision = ${revision}`.execute(db)
}

/** The sender of refused messages, who is yet to be notified. */
export interface SenderToNotify extends SenderKey {
  bot_type: BotType | null
  bot_owner_id: UserId | null
  full_name: string
}

/**
 * Lists senders who can be notified of refused messages: those without messages that are due, and
 * not those bots whose owners got another notice a moment ago.
 */
export async function listSendersToNotify(db: Db, limit: number): Promise<SenderToNotify[]> {
  const { rows } = await sql<SenderToNotify>`
    select u.organization_id, u.id as user_id, u.bot_type, u.bot_owner_id, u.full_name
    from (select distinct organization_id, sender_id from scheduled_message where awaits_notice) as failed
    join user_account u on u.organization_id = failed.organization_id and u.id = failed.sender_id
    where not ${wasOwnerNotified} and not exists (
      select from scheduled_message due
      where due.organization_id = u.organization_id and due.sender_id = u.id
        and due.failure is null and due.attempt_at <= now())
    limit ${limit}`.execute(db)
  return rows
}

export interface FailedMessage
  extends Pick<ScheduledMessageRow, 'id' | 'is_reminder' | 'stream_id' | 'deliver_at'> {
  failure: string
}

/** Returns the refused messages that the sender is yet to be notified of, each once, by their times. */
export async function takeFailures(
  tx: Tx,
  { organization_id, user_id }: SenderKey,
): Promise<FailedMessage[]> {
  const { rows } = await sql<FailedMessage>`
    with taken as (
      update scheduled_message set awaits_notice = false
      where organization_id = ${organization_id} and sender_id = ${user_id} and awaits_notice
      returning id, is_reminder, stream_id, deliver_at, failure
    )
    select * from taken order by deliver_at, id`.execute(tx)
  return rows
}
