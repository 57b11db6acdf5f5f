import { Attention, type BotType, type MessageId, type Role, type UserId } from '@oxbow/contract'
import { type Selectable, sql } from 'kysely'
import { isReceived, joinOwn, type Reader } from '../messages/visibility.ts'
import type { Db } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'

type Settings = Selectable<Tables['user_setting']>
type Subscription = Selectable<Tables['subscription']>

/** A message and one reader of it: what the decision about notifications depends on. */
export interface ReachRow {
  sender_id: UserId
  sent_at: Date
  is_private: boolean
  is_deleted: boolean
  is_from_system: boolean
  mentions_wildcard: boolean
  is_mentioned: boolean
  has_alert_word: boolean
  is_received: boolean
  /** Whether the message was sent before the account existed. */
  is_history: boolean
  bot_type: BotType | null
  is_active: boolean
  delivery_email: string
  /** The attention of the reader to the topic. */
  attention: Attention
  has_muted_sender: boolean
  has_muted_all_others: boolean
  setting: Settings
  /** The reader's subscription to the stream; null without one, and for private messages. */
  subscription: Subscription | null
  subscribers: number
}

/** Mentions of more people than this are mentions of a crowd. */
export const crowdLimit = 1_000

/** Reads what decides about notifications of a message for one account. The account must exist. */
export async function readReach(db: Db, reader: Reader, id: MessageId): Promise<ReachRow | undefined> {
  const { organization_id, user_id } = reader
  const { rows } = await sql<ReachRow>`
    select m.sender_id, m.sent_at, m.is_private, m.content = '(deleted)' as is_deleted, m.mentions_wildcard,
      exists (select from system_account a where a.id = m.sender_id) as is_from_system,
      coalesce(own.is_mentioned, false) as is_mentioned, coalesce(own.has_alert_word, false) as has_alert_word,
      ${isReceived(reader)} as is_received, m.sent_at < u.date_joined as is_history,
      u.bot_type, u.is_active, u.delivery_email, coalesce((
        select ${sql.lit(Attention.muted)} from muted_topic muted
        where not m.is_private and muted.organization_id = m.organization_id and muted.user_id = u.id
          and muted.stream_id = m.recipient_id and muted.folded_topic = m.folded_topic
      ), (
        select attended.policy from topic_attention attended
        where not m.is_private and attended.organization_id = m.organization_id and attended.user_id = u.id
          and attended.stream_id = m.recipient_id and attended.folded_topic = m.folded_topic
      ), ${sql.lit(Attention.none)}) as attention,
      exists (
        select from muted_user muting
        where muting.organization_id = m.organization_id and muting.user_id = u.id and muting.muted_user_id = m.sender_id
      ) as has_muted_sender,
      m.is_private and not exists (
        select from conversation, unnest(conversation.members) as member (id)
        where conversation.organization_id = m.organization_id and conversation.id = m.recipient_id and member.id <> u.id
          and not exists (
            select from muted_user muting
            where muting.organization_id = m.organization_id and muting.user_id = u.id and muting.muted_user_id = member.id)
      ) as has_muted_all_others,
      to_jsonb(setting) as setting, to_jsonb(place) as subscription,
      (select count(*)::int from (
        select from subscription s
        where not m.is_private and s.organization_id = m.organization_id and s.stream_id = m.recipient_id and s.is_active
        limit ${crowdLimit + 1}) as counted) as subscribers
    from message m
    join user_account u on u.organization_id = m.organization_id and u.id = ${user_id}
    join user_setting setting on setting.organization_id = m.organization_id and setting.user_id = u.id
    left join subscription place on not m.is_private and place.organization_id = m.organization_id
      and place.user_id = u.id and place.stream_id = m.recipient_id and place.is_active
    ${joinOwn(reader)}
    where m.organization_id = ${organization_id} and m.id = ${id}`.execute(db)
  return rows[0]
}

/** Returns the role of an account; undefined if there is none. */
export async function findRole(
  db: Db,
  { organization_id }: Pick<Reader, 'organization_id'>,
  id: UserId,
): Promise<Role | undefined> {
  const found = await db
    .selectFrom('user_account')
    .select('role')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.role
}
