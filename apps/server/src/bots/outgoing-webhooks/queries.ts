import type { BotInterface, OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OutgoingWebhookCallRow } from '../../platform/database/tables.ts'

/** Identifies one attempt to make a call. */
export type CallAttempt = OutgoingWebhookCallRow & { age_seconds: number }

/**
 * A node claims a call for this time, which must be longer than an attempt takes, so that only calls of dead
 * nodes are claimed again.
 */
const claimSeconds = 30

/**
 * Calls of the bots of one owner that all nodes together make at the same time, so that slow servers of one
 * person leave room for others.
 */
const maxConcurrentPerOwner = 8

/**
 * Claims calls that are due. Each bot gets its calls one at a time, in the order of the messages, so that its
 * replies are in this order and a bot whose server is slow delays no other. Owners with few running calls
 * come first. The time this takes depends on the number of bots with calls, not on the number of calls.
 */
export async function claimCalls(db: Db, limit: number): Promise<CallAttempt[]> {
  const { rows } = await sql<CallAttempt>`
    with recursive head as (
      (select organization_id, bot_id, message_id, due_at, claimed_until from outgoing_webhook_call
        order by organization_id, bot_id, message_id limit 1)
      union all
      select next.* from head cross join lateral (
        select organization_id, bot_id, message_id, due_at, claimed_until from outgoing_webhook_call as later
        where (later.organization_id, later.bot_id) > (head.organization_id, head.bot_id)
        order by organization_id, bot_id, message_id limit 1
      ) as next
    ), turn as (
      select head.*, row_number() over (
        partition by head.organization_id, coalesce(bot.bot_owner_id, head.bot_id)
        order by head.claimed_until <= now(), head.due_at
      ) as number
      from head
      left join user_account as bot on bot.organization_id = head.organization_id and bot.id = head.bot_id
      where head.due_at <= now()
    ), chosen as materialized (
      select organization_id, bot_id, message_id from turn
      where claimed_until <= now() and number <= ${maxConcurrentPerOwner}
      order by number, due_at limit ${limit}
    )
    update outgoing_webhook_call as call
    set claimed_until = now() + make_interval(secs => ${claimSeconds}), attempts = attempts + 1
    from chosen cross join lateral (
      select own.organization_id, own.bot_id, own.message_id from outgoing_webhook_call as own
      where own.organization_id = chosen.organization_id and own.bot_id = chosen.bot_id
        and own.message_id = chosen.message_id and own.due_at <= now() and own.claimed_until <= now()
      for update skip locked
    ) as next
    where call.organization_id = next.organization_id and call.bot_id = next.bot_id
      and call.message_id = next.message_id
    returning call.*, date_part('epoch', now() - call.created_at) as age_seconds`.execute(db)
  return rows
}

const isAttempt = ({ organization_id, bot_id, message_id, attempts }: CallAttempt) => sql<boolean>`
  organization_id = ${organization_id} and bot_id = ${bot_id} and message_id = ${message_id}
    and attempts = ${attempts}`

/** Ends a call. Returns false if another node has begun a later attempt, or the call has ended. */
export async function deleteCall(db: Db, attempt: CallAttempt): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from outgoing_webhook_call where ${isAttempt(attempt)}`.execute(db)
  return numAffectedRows > 0n
}

/** Lets the call be attempted again after some seconds. */
export async function postponeCall(db: Db, attempt: CallAttempt, seconds: number): Promise<void> {
  await sql`
    update outgoing_webhook_call
    set due_at = now() + make_interval(secs => ${seconds}), claimed_until = now()
    where ${isAttempt(attempt)}`.execute(db)
}

/** Lets the call be attempted again at once. The attempt is not counted. */
export async function releaseCall(db: Db, attempt: CallAttempt): Promise<void> {
  await sql`
    update outgoing_webhook_call set claimed_until = now(), attempts = attempts - 1
    where ${isAttempt(attempt)}`.execute(db)
}

/** An outgoing webhook and the message that calls it. */
export interface CalledBot {
  organization_id: OrganizationId
  id: UserId
  full_name: string
  /** Bots have no hidden addresses. */
  delivery_email: string
  role: Role
  bot_owner_id: UserId | null
  api_key_hash: Buffer
  subdomain: string
  base_url: string
  interface: BotInterface
  token_sealed: Buffer | null
}

/** Finds a bot, unless it or its organization is deactivated. */
export async function findBot(
  db: Db,
  { organization_id, bot_id }: Pick<CallAttempt, 'organization_id' | 'bot_id'>,
): Promise<CalledBot | undefined> {
  return db
    .selectFrom('user_account as bot')
    .innerJoin('organization', 'organization.id', 'bot.organization_id')
    .innerJoin('bot_service as service', (join) =>
      join
        .onRef('service.organization_id', '=', 'bot.organization_id')
        .onRef('service.user_id', '=', 'bot.id'),
    )
    .select([
      'bot.organization_id',
      'bot.id',
      'bot.full_name',
      'bot.delivery_email',
      'bot.role',
      'bot.bot_owner_id',
      'bot.api_key_hash',
      'organization.subdomain',
      'service.base_url',
      'service.interface',
      'service.token_sealed',
    ])
    .where('bot.organization_id', '=', organization_id)
    .where('bot.id', '=', bot_id)
    .where('bot.is_active', '=', true)
    .where('organization.deactivated_at', 'is', null)
    .executeTakeFirst()
}

/** The conversation or topic of a message. */
export interface Place {
  is_private: boolean
  recipient_id: number
  topic: string
  /** All members of the conversation; null in a stream. */
  members: UserId[] | null
}

/** Finds where a message is now, unless it was deleted or its stream was archived. */
export async function findPlace(
  db: Db,
  { organization_id, message_id }: Pick<CallAttempt, 'organization_id' | 'message_id'>,
): Promise<Place | undefined> {
  return db
    .selectFrom('message')
    .leftJoin('conversation', (join) =>
      join
        .onRef('conversation.organization_id', '=', 'message.organization_id')
        .onRef('conversation.id', '=', 'message.recipient_id')
        .on('message.is_private', '=', true),
    )
    .leftJoin('stream', (join) =>
      join
        .onRef('stream.organization_id', '=', 'message.organization_id')
        .onRef('stream.id', '=', 'message.recipient_id')
        .on('message.is_private', '=', false),
    )
    .select(['message.is_private', 'message.recipient_id', 'message.topic', 'conversation.members'])
    .where('message.organization_id', '=', organization_id)
    .where('message.id', '=', message_id)
    .where('stream.archived_at', 'is', null)
    .executeTakeFirst()
}
