import type { MessageId, UploadId } from '@oxbow/contract'
import { sql } from 'kysely'
import { isOwnUpload } from '../../messages/attachments/queries.ts'
import { isReadable, joinOwn, type Reader } from '../../messages/visibility.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

/**
 * Counts the account's exports of the last 24 hours, and returns the seconds until the oldest of
 * them expires.
 */
export async function countRecentExports(
  tx: Tx,
  { organization_id, user_id }: Reader,
): Promise<{ count: number; frees_in: number }> {
  const { rows } = await sql<{ count: number; frees_in: number }>`
    select count(*)::int as count,
      coalesce(extract(epoch from min(began_at) + interval '1 day' - now()), 0)::float8 as frees_in
    from own_export
    where organization_id = ${organization_id} and user_id = ${user_id} and began_at > now() - interval '1 day'`.execute(
    tx,
  )
  return rows[0] ?? { count: 0, frees_in: 0 }
}

export async function insertOwnExport(tx: Tx, { organization_id, user_id }: Reader): Promise<void> {
  await sql`
    insert into own_export (organization_id, user_id) values (${organization_id}, ${user_id})`.execute(tx)
}

export async function deleteOldExports(db: Db): Promise<void> {
  await sql`delete from own_export where began_at < now() - interval '1 day'`.execute(db)
}

export interface OwnAccount {
  /** Everything about the account except messages and uploads. */
  data: object
  /** Null if the account has a generated picture. */
  avatar_version: number | null
}

/**
 * Reads all data of the account except messages and uploads. Leaves out keys and hashes. Names only
 * streams that the account is subscribed to.
 */
export async function readOwnAccount(db: Db, { organization_id, user_id }: Reader): Promise<OwnAccount> {
  const own = sql`organization_id = ${organization_id} and user_id = ${user_id}`
  const list = (columns: string, table: string) =>
    sql`(select coalesce(json_agg(r), '[]') from (select ${sql.raw(columns)} from ${sql.table(table)} where ${own}) r)`
  const { rows } = await sql<OwnAccount>`
    select case when u.avatar_source = 'uploaded' then u.avatar_version end as avatar_version, json_build_object(
      'user_id', u.id, 'full_name', u.full_name, 'email', u.delivery_email, 'role', u.role, 'timezone', u.timezone,
      'date_joined', u.date_joined,
      'settings', (select to_jsonb(s) - 'organization_id' - 'user_id' from user_setting s where ${own}),
      'profile', (
        select coalesce(json_agg(json_build_object('field', f.name, 'value', v.value) order by f.id), '[]')
        from profile_value v join profile_field f on f.organization_id = v.organization_id and f.id = v.field_id
        where v.organization_id = ${organization_id} and v.user_id = ${user_id}),
      'status', (select json_build_object('text', status_text, 'away', is_away) from user_status where ${own}),
      'streams', (
        select coalesce(json_agg(json_build_object('stream_id', s.id, 'name', s.name, 'color', own.color) order by s.id), '[]')
        from subscription own join stream s on s.organization_id = own.organization_id and s.id = own.stream_id
        where own.organization_id = ${organization_id} and own.user_id = ${user_id} and own.is_active
          and s.archived_at is null),
      'groups', (
        select coalesce(json_agg(g.name order by g.id), '[]')
        from user_group_member m join user_group g on g.organization_id = m.organization_id and g.id = m.group_id
        where m.organization_id = ${organization_id} and m.user_id = ${user_id}),
      'alert_words', ${list('spelling as word', 'alert_word')},
      'stream_sections', ${list('position, kind, name, folder_id, stream_ids', 'stream_section')},
      'muted_topics', ${list('stream_id, topic, muted_at', 'muted_topic')},
      'muted_users', ${list('muted_user_id, muted_at', 'muted_user')},
      'topic_attention', ${list('stream_id, topic, policy, changed_at', 'topic_attention')},
      'devices', ${list('kind, app_id, added_at', 'device')},
      'sessions', ${list('created_at, last_seen_at, user_agent, address', 'session')},
      'networks', ${list('network, last_at', 'sign_in_network')},
      'presence', ${list('client, active_at, idle_at', 'presence')},
      'drafts', ${list('type, recipients, topic, content, edited_at', 'draft')},
      'scheduled_messages', (
        select coalesce(json_agg(json_build_object('stream_id', stream_id, 'topic', topic, 'to', people,
          'content', content, 'deliver_at', deliver_at) order by id), '[]')
        from scheduled_message where organization_id = ${organization_id} and sender_id = ${user_id})
    ) as data
    from user_account u where u.organization_id = ${organization_id} and u.id = ${user_id}`.execute(db)
  const [account] = rows
  if (!account) throw new Error(`account ${user_id} does not exist`)
  return account
}

export interface OwnMessage {
  id: MessageId
  data: object
}

/**
 * Lists the next messages that the account sent, with their earlier texts. Leaves out stream, topic
 * and recipients of messages that the account may no longer read, because others may have changed
 * them.
 */
export async function listOwnMessages(
  db: Db,
  reader: Reader,
  after: number,
  limit: number,
): Promise<OwnMessage[]> {
  const { organization_id, user_id } = reader
  const { rows } = await sql<OwnMessage>`
    select m.id, json_strip_nulls(json_build_object(
      'id', m.id, 'sent_at', m.sent_at, 'type', case when m.is_private then 'private' else 'stream' end,
      'stream_id', case when m.is_readable and not m.is_private then m.recipient_id end,
      'stream', case when m.is_readable then s.name end,
      'topic', case when m.is_readable and not m.is_private then m.topic end,
      'to', case when m.is_readable then to_json(c.members) end,
      'content', m.content,
      'earlier', (
        select json_agg(json_build_object('until', e.edited_at, 'content', e.prev_content) order by e.id)
        from message_edit e
        where e.organization_id = ${organization_id} and e.message_id = m.id and e.user_id = ${user_id}
          and e.prev_content is not null))) as data
    from (
      select m.*, ${isReadable(reader)} as is_readable
      from message m ${joinOwn(reader)}
      where m.organization_id = ${organization_id} and m.sender_id = ${user_id} and m.id > ${after}
      order by m.id limit ${limit}
    ) m
    left join stream s on s.organization_id = m.organization_id and s.id = m.recipient_id and not m.is_private
    left join conversation c on c.organization_id = m.organization_id and c.id = m.recipient_id and m.is_private
    order by m.id`.execute(db)
  return rows
}

export interface OwnUpload {
  id: UploadId
  path_id: string
  file_name: string
  content_type: string
  created_at: Date
}

export async function listOwnUploads(
  db: Db,
  { organization_id, user_id }: Reader,
  after: number,
  limit: number,
): Promise<OwnUpload[]> {
  const { rows } = await sql<OwnUpload>`
    select u.id, u.path_id, u.file_name, u.content_type, u.created_at from upload u
    where u.organization_id = ${organization_id} and ${isOwnUpload(user_id)} and u.id > ${after}
    order by u.id limit ${limit}`.execute(db)
  return rows
}
