import { ApiError, type BotType, type Role, type ScheduledMessageId, type UserId } from '@oxbow/contract'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { ScheduledMessageRow, Tables } from '../../platform/database/tables.ts'
import { areJobsHeld } from '../../platform/jobs/jobs-hold.ts'
import { wasOwnerNotified } from '../send/notify-bot-owner.ts'

export type SenderKey = Pick<Actor, 'organization_id' | 'user_id'>

export interface Clock {
  /** The current time of PostgreSQL, which alone decides which messages are due. */
  now: Date
  /** The time zone of the account's profile, or an empty string. */
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

/** Lists an account's scheduled messages in the order that clients show. */
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
 * Returns the number of an account's scheduled messages and their size in bytes. The size includes
 * rendered texts and recipients: the HTML of a formula can be dozens of times its length, and a
 * message may have a thousand recipients.
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

/**
 * Inserts a scheduled message, and the sender's row that deliveries claim if it does not exist yet.
 */
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

/**
 * Returns the message if it belongs to the account. Missing messages and messages of other accounts
 * get the same error.
 */
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

/** Thrown to roll back a transaction if its version of the message no longer exists. */
export class ChangedMeanwhile extends Error {}

/** Updates a scheduled message. Returns undefined if it was sent, deleted or changed meanwhile. */
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
 * undefined if the message was sent, deleted or changed meanwhile.
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

/** Deletes a scheduled message. Returns false if the account has no such message. */
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

/** Deletes all scheduled messages and reminders of an account. Emits no events. */
export async function deleteAllScheduledMessages(
  tx: Tx,
  { organization_id, user_id }: SenderKey,
): Promise<void> {
  await tx
    .deleteFrom('scheduled_message')
    .where('organization_id', '=', organization_id)
    .where('sender_id', '=', user_id)
    .execute()
}

/** A claim that is not renewed ends after this time, because its node has died or hangs. */
const claimSeconds = 5

/**
 * Claims senders of due messages that no node has claimed, the earliest messages first. Claims
 * avoid duplicate work and keep messages in order. They are not needed to send each message only
 * once: `deleteVersion` guarantees that.
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

/** Extends the claims of a node that is still working. */
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

/**
 * SQL condition: the row belongs to one of `senders` and still has this claim. The keys are needed
 * because the column `claimed_by` has no index.
 */
const isClaimed = (claim: string, senders: readonly SenderKey[]): RawBuilder<boolean> => sql<boolean>`
  (organization_id, user_id) in (
    select * from unnest(
      ${senders.map(({ organization_id }) => organization_id)}::bigint[], ${senders.map(({ user_id }) => user_id)}::bigint[]))
  and claimed_by = ${claim}`

export interface Agenda {
  isAnyDue: boolean
  /** Whether the sender of a refused message has not been notified yet. */
  isAnyNoticeDue: boolean
  /** Milliseconds until the next message is due; null if none is scheduled. */
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

/** A due message, with the data that is needed to act as its sender. */
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

/** Lists due messages of one sender, ordered by time. */
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

/** Schedules another attempt after an unexpected error. */
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

/** A sender of refused messages who has not been notified yet. */
export interface SenderToNotify extends SenderKey {
  bot_type: BotType | null
  bot_owner_id: UserId | null
  full_name: string
}

/**
 * Lists senders who can be notified of refused messages. Leaves out senders who still have due
 * messages, and bots whose owners got another notice less than a minute ago.
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

/**
 * Returns the refused messages that the sender has not been notified of, ordered by time, and marks
 * them as notified.
 */
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
