import type { MessageId, OrganizationId, UploadId, UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { AudienceKey } from '../../messages/columns.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Notices } from '../../streams/notices.ts'
import { mentionAttribute } from './mention-attribute.ts'

export interface PersonKey {
  organization_id: OrganizationId
  user_id: UserId
}

/** Tables whose rows belong to one account and contain nothing that others wrote. */
const ownTables = [
  'alert_word',
  'device',
  'draft',
  'email_change',
  'idempotent_answer',
  'muted_topic',
  'muted_user',
  'own_export',
  'password_reset',
  'presence',
  'profile_value',
  'scheduled_sender',
  'sign_in_network',
  'stream_section',
  'topic_attention',
  'user_setting',
  'user_status',
] as const

/**
 * Deletes the rows that belong only to this person: drafts, scheduled messages, devices, settings,
 * links in e-mails, and counters of sign-in attempts with the address.
 */
export async function deleteOwnRows(
  tx: Tx,
  { organization_id, user_id }: PersonKey,
  address: string,
): Promise<void> {
  for (const table of ownTables) {
    await sql`
      delete from ${sql.table(table)}
      where organization_id = ${organization_id} and user_id = ${user_id}`.execute(tx)
  }
  // Every account must have settings. This row has the defaults.
  await sql`insert into user_setting (organization_id, user_id) values (${organization_id}, ${user_id})`.execute(
    tx,
  )
  await sql`
    delete from scheduled_message where organization_id = ${organization_id} and sender_id = ${user_id}`.execute(
    tx,
  )
  await sql`
    delete from webhook_failure where organization_id = ${organization_id} and owner_id = ${user_id}`.execute(
    tx,
  )
  for (const table of ['login_attempt', 'sign_in_failure']) {
    await sql`
      delete from ${sql.table(table)}
      where organization_id = ${organization_id} and lower(username) = lower(${address})`.execute(tx)
  }
  for (const table of ['password_reset', 'sign_up', 'invitation']) {
    await sql`
      delete from ${sql.table(table)}
      where organization_id = ${organization_id} and lower(email) = lower(${address})`.execute(tx)
  }
  await deleteEmailJobs(tx, organization_id, address)
}

/**
 * Deletes waiting e-mails of the organization to the address. A request to the finder names only an address, so it
 * is deleted unless the person has an account in another organization. Jobs of the release before name the
 * organization instead of its id.
 */
async function deleteEmailJobs(tx: Tx, organization_id: OrganizationId, address: string): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs
    where (
      coalesce(
        payload ->> 'organization_id' = ${String(organization_id)},
        payload ->> 'organization' = (select name from organization where id = ${organization_id}))
      and lower(${address}) in (lower(payload ->> 'to'), lower(payload ->> 'new_email'))
    ) or (
      lower(payload ->> 'email') = lower(${address})
      and not exists (select from user_account where lower(delivery_email) = lower(${address})))`.execute(tx)
}

/** Fields of responses with the name of a person. Other fields may have the same text by chance. */
const nameFields = ['full_name', 'sender_full_name'] as const

/**
 * Replaces the name and the address of a person in responses that are saved for retries of other accounts. They are
 * not deleted, because a retried request would then be executed again. An address may also be the name of a field.
 */
export async function replaceInSavedResponses(
  tx: Tx,
  organization_id: OrganizationId,
  old: { full_name: string; delivery_email: string },
  fresh: { full_name: string; delivery_email: string },
): Promise<void> {
  const pieces = [
    [JSON.stringify(old.delivery_email), JSON.stringify(fresh.delivery_email)],
    ...nameFields.map((field) => [
      `"${field}":${JSON.stringify(old.full_name)}`,
      `"${field}":${JSON.stringify(fresh.full_name)}`,
    ]),
  ] as [from: string, to: string][]
  for (const [from, to] of pieces) {
    await sql`
      update idempotent_answer set answer = replace(answer::text, ${from}, ${to})::json
      where organization_id = ${organization_id} and strpos(answer::text, ${from}) > 0`.execute(tx)
  }
}

export interface WaitingNotices {
  /** The id of the job. */
  id: string
  payload: Notices
}

/** Lists the jobs that send notices with a mention of the person. Each mention has the id. */
export async function listWaitingNotices(
  tx: Tx,
  { organization_id, user_id }: PersonKey,
): Promise<WaitingNotices[]> {
  const { rows } = await sql<WaitingNotices>`
    select id::text, payload from graphile_worker._private_jobs
    where payload ->> 'organization_id' = ${String(organization_id)} and payload -> 'notices' is not null
      and strpos(payload ->> 'notices', ${`|${user_id}**`}) > 0
    order by id for update`.execute(tx)
  return rows
}

export async function updateNotices(tx: Tx, id: string, payload: Notices): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set payload = ${JSON.stringify(payload)}::json
    where id = ${id}::bigint`.execute(tx)
}

export async function listFilledFields(db: Db, { organization_id, user_id }: PersonKey): Promise<number[]> {
  const { rows } = await sql<{ field_id: number }>`
    select field_id from profile_value
    where organization_id = ${organization_id} and user_id = ${user_id} order by field_id`.execute(db)
  return rows.map(({ field_id }) => field_id)
}

export async function markErased(tx: Tx, { organization_id, user_id }: PersonKey): Promise<void> {
  await sql`
    update user_account set erased_at = coalesce(erased_at, now())
    where organization_id = ${organization_id} and id = ${user_id}`.execute(tx)
}

export interface Erasure extends PersonKey {
  deletes_messages: boolean
  searched_to: number
}

/**
 * Records that an erasure has begun. If one is already running, it deletes messages if either call
 * asks for it.
 */
export async function upsertErasure(
  tx: Tx,
  { organization_id, user_id, deletes_messages }: Omit<Erasure, 'searched_to'>,
): Promise<void> {
  await sql`
    insert into user_erasure as known (organization_id, user_id, deletes_messages)
    values (${organization_id}, ${user_id}, ${deletes_messages})
    on conflict (organization_id, user_id) do update
      set deletes_messages = known.deletes_messages or excluded.deletes_messages`.execute(tx)
}

export async function findErasure(
  db: Db,
  { organization_id, user_id }: PersonKey,
): Promise<Erasure | undefined> {
  const { rows } = await sql<Erasure>`
    select organization_id, user_id, deletes_messages, searched_to from user_erasure
    where organization_id = ${organization_id} and user_id = ${user_id}`.execute(db)
  return rows[0]
}

/** Deletes the record of a finished erasure, unless `deletes_messages` was changed in the meantime. */
export async function deleteErasure(
  tx: Tx,
  { organization_id, user_id, deletes_messages }: Erasure,
): Promise<void> {
  await sql`
    delete from user_erasure
    where organization_id = ${organization_id} and user_id = ${user_id}
      and deletes_messages = ${deletes_messages}`.execute(tx)
}

export async function recordSearch(
  db: Db,
  { organization_id, user_id }: PersonKey,
  searched_to: number,
): Promise<void> {
  await sql`
    update user_erasure set searched_to = greatest(searched_to, ${searched_to})
    where organization_id = ${organization_id} and user_id = ${user_id}`.execute(db)
}

export interface MentionSearch {
  /** The last message that was searched; null if there are no more. */
  last: number | null
  /** Messages that mention the person in their current text or in an earlier version. */
  ids: MessageId[]
}

/** Searches the next `limit` messages of the organization for mentions of a person. */
export async function searchMentions(
  db: Db,
  { organization_id, user_id, searched_to }: Erasure,
  limit: number,
): Promise<MentionSearch> {
  const pattern = `%${mentionAttribute(user_id)}%`
  const { rows } = await sql<MentionSearch>`
    with page as materialized (
      select id, rendered_content like ${pattern} as is_mention from message
      where organization_id = ${organization_id} and id > ${searched_to} order by id limit ${limit}
    ), versions as (
      select distinct message_id as id from message_edit
      where organization_id = ${organization_id} and message_id > ${searched_to}
        and message_id <= (select max(id) from page) and prev_rendered_content like ${pattern}
    )
    select (select max(id) from page) as last, array(
      select id from page where is_mention union select id from versions order by 1) as ids`.execute(db)
  return rows[0] ?? { last: null, ids: [] }
}

export interface EarlierVersion {
  id: number
  prev_content: string
  prev_rendered_content: string
}

/** Lists the earlier versions of a message that mention a person. */
export async function listMentioningVersions(
  tx: Tx,
  { organization_id, user_id }: PersonKey,
  message_id: MessageId,
): Promise<EarlierVersion[]> {
  const { rows } = await sql<EarlierVersion>`
    select id, prev_content, prev_rendered_content from message_edit
    where organization_id = ${organization_id} and message_id = ${message_id}
      and prev_rendered_content like ${`%${mentionAttribute(user_id)}%`}`.execute(tx)
  return rows
}

export async function updateVersion(
  tx: Tx,
  { organization_id }: PersonKey,
  message_id: MessageId,
  { id, prev_content, prev_rendered_content }: EarlierVersion,
): Promise<void> {
  await sql`
    update message_edit set prev_content = ${prev_content}, prev_rendered_content = ${prev_rendered_content}
    where organization_id = ${organization_id} and message_id = ${message_id} and id = ${id}`.execute(tx)
}

export interface WidgetText {
  id: number
  content: string
}

/** Lists the submessages of a message, such as the question of a poll, that may have a mention. */
export async function listMentioningSubmessages(
  tx: Tx,
  { organization_id }: PersonKey,
  message_id: MessageId,
): Promise<WidgetText[]> {
  const { rows } = await sql<WidgetText>`
    select id, content from submessage
    where organization_id = ${organization_id} and message_id = ${message_id} and strpos(content, '**') > 0`.execute(
    tx,
  )
  return rows
}

export async function updateSubmessage(
  tx: Tx,
  { organization_id }: PersonKey,
  message_id: MessageId,
  { id, content }: WidgetText,
): Promise<void> {
  await sql`
    update submessage set content = ${content}
    where organization_id = ${organization_id} and message_id = ${message_id} and id = ${id}`.execute(tx)
}

export interface MessageRecipient {
  recipient_id: number
  is_private: boolean
}

/** Finds the stream or conversation of the person's oldest message. */
export async function findRecipientOfOwnMessage(
  db: Db,
  { organization_id, user_id }: PersonKey,
): Promise<MessageRecipient | undefined> {
  const { rows } = await sql<MessageRecipient>`
    select recipient_id, is_private from message
    where organization_id = ${organization_id} and sender_id = ${user_id} order by id limit 1`.execute(db)
  return rows[0]
}

/**
 * Finds a conversation that has messages and no remaining person: all other members are bots or
 * erased.
 */
export async function findDesertedConversation(
  db: Db,
  { organization_id, user_id }: PersonKey,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select c.id from conversation_member own
    join conversation c on c.organization_id = own.organization_id and c.id = own.conversation_id
    where own.organization_id = ${organization_id} and own.user_id = ${user_id}
      and not exists (
        select from user_account u
        where u.organization_id = c.organization_id and u.id = any(c.members) and u.bot_type is null
          and u.erased_at is null)
      and exists (
        select from message m where m.organization_id = c.organization_id and m.recipient_id = c.id)
    limit 1`.execute(db)
  return rows[0]?.id
}

export interface MessageToDelete extends AudienceKey {
  topic: string
  folded_topic: string
}

/** Lists the oldest messages of a stream or conversation; only those of `sender_id`, if it is given. */
export async function listMessagesAt(
  tx: Tx,
  { organization_id }: PersonKey,
  { recipient_id, sender_id }: { recipient_id: number; sender_id?: UserId },
  limit: number,
): Promise<MessageToDelete[]> {
  const isOwn = sender_id === undefined ? sql`true` : sql`sender_id = ${sender_id}`
  const { rows } = await sql<MessageToDelete>`
    select id, sent_recipient_id, outbox_id, topic, folded_topic from message
    where organization_id = ${organization_id} and recipient_id = ${recipient_id} and ${isOwn}
    order by id limit ${limit}`.execute(tx)
  return rows
}

/** Deletes the person's submessages, such as votes, and the previewed pages that their messages linked to. */
export async function deleteTracesOfMessages(tx: Tx, { organization_id, user_id }: PersonKey): Promise<void> {
  await sql`
    delete from submessage where organization_id = ${organization_id} and sender_id = ${user_id}`.execute(tx)
  await sql`
    delete from link_preview_request where organization_id = ${organization_id} and sender_id = ${user_id}`.execute(
    tx,
  )
  await sql`
    delete from link_page where organization_id = ${organization_id} and requested_by = ${user_id}`.execute(
    tx,
  )
}

/** Locks the oldest uploads of a person that meet the condition on `u`. */
export async function lockOwnUploads(
  tx: Tx,
  { organization_id, user_id }: PersonKey,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<UploadId[]> {
  const { rows } = await sql<{ id: UploadId }>`
    select u.id from upload u
    where u.organization_id = ${organization_id} and u.owner_id = ${user_id} and ${condition}
    order by u.id limit ${limit} for update`.execute(tx)
  return rows.map(({ id }) => id)
}
