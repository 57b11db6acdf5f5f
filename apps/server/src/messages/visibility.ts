import { type OrganizationId, Role, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'

/** Whose eyes a message is seen with. */
export interface Reader {
  organization_id: OrganizationId
  user_id: UserId
  role: Role
}

/**
 * The same about many accounts at once, each a row `u` of user_account. What is looked up for one reader is joined for
 * them, by `joinEach`: a lookup for each of a hundred thousand takes ten times as long.
 */
export const eachAccount = {
  user_id: sql<UserId>`u.id`,
  isGuest: sql<boolean>`u.role = ${sql.lit(Role.guest)}`,
}

type Eyes = Reader | typeof eachAccount
type Whose = Pick<Reader, 'user_id'> | Pick<typeof eachAccount, 'user_id'>

/**
 * The one place that says who may see which message, and for whom it is unread: conditions on a row `m` of message, beside
 * `own`, the reader's row of user_message, if there is one. Everything that shows, changes or counts messages is made of these.
 */
export const joinOwn = ({ user_id }: Eyes): RawBuilder<unknown> => sql`
  left join user_message own
    on own.organization_id = m.organization_id and own.user_id = ${user_id} and own.message_id = m.id`

/** The same, looked up for one row after the other: for few rows, of which PostgreSQL expects many. */
export const lookUpOwn = ({ user_id }: Reader): RawBuilder<unknown> => sql`
  left join lateral (
    select * from user_message note
    where note.organization_id = m.organization_id and note.user_id = ${user_id} and note.message_id = m.id
    offset 0
  ) as own on true`

/** What `isUnread` needs of each account. */
export const joinEach: RawBuilder<unknown> = sql`
  ${joinOwn(eachAccount)}
  left join subscription_period here
    on here.organization_id = m.organization_id and here.user_id = u.id and here.stream_id = m.recipient_id
      and here.to_outbox_id is null
  left join read_mark mark
    on mark.organization_id = m.organization_id and mark.user_id = u.id and mark.stream_id = m.sent_recipient_id
      and mark.message_id = m.id
  left join subscription sent
    on sent.organization_id = m.organization_id and sent.user_id = u.id and sent.stream_id = m.sent_recipient_id
  left join user_setting setting
    on setting.organization_id = m.organization_id and setting.user_id = u.id`

const isMoved = sql<boolean>`m.recipient_id <> m.sent_recipient_id`

/** They were in the stream when it was sent there. */
export const wasThere = ({ user_id }: Whose): RawBuilder<boolean> => sql<boolean>`exists (
  select from subscription_period p
  where p.organization_id = m.organization_id and p.user_id = ${user_id} and p.stream_id = m.sent_recipient_id
    and p.from_message_id <= m.id and (p.to_message_id is null or p.to_message_id > m.id))`

/** A guest knows only the streams they are or were in, and a message tells the name of the one it is in. */
function knowsPlace(reader: Eyes): RawBuilder<boolean> {
  if ('role' in reader && reader.role !== Role.guest) return sql`true`
  const knows = sql<boolean>`(not ${isMoved} or exists (
    select from subscription s
    where s.organization_id = m.organization_id and s.user_id = ${reader.user_id} and s.stream_id = m.recipient_id))`
  return 'role' in reader ? knows : sql`(not ${reader.isGuest} or ${knows})`
}

const isGuest = (reader: Eyes): RawBuilder<boolean> =>
  'role' in reader ? sql`${reader.role === Role.guest}` : reader.isGuest

/** It is in a stream that everyone but guests may read. */
const isInPublic = (reader: Eyes): RawBuilder<boolean> => sql<boolean>`(not ${isGuest(reader)} and exists (
  select from stream place
  where place.organization_id = m.organization_id and place.id = m.recipient_id and not place.invite_only))`

/**
 * Nothing of it changed since they could last reach the stream that it is in, so they keep what they received. Most
 * messages never change, which is asked first.
 */
export const isAsTheyKnewIt = (reader: Eyes): RawBuilder<boolean> => sql<boolean>`
  (m.changed_id is null or m.is_private or exists (
    select from subscription_period p
    where p.organization_id = m.organization_id and p.user_id = ${reader.user_id} and p.stream_id = m.recipient_id
      and (p.to_message_id is null or p.to_message_id > m.changed_id)) or ${isInPublic(reader)})`

/** The stream that it is in is archived, and they were in it to the end: no one's period there ended after theirs. */
const isInLastMembers = ({ user_id }: Eyes): RawBuilder<boolean> => sql<boolean>`exists (
  select from stream place
  join subscription_period last
    on last.organization_id = place.organization_id and last.stream_id = place.id and last.user_id = ${user_id}
  where place.organization_id = m.organization_id and place.id = m.recipient_id and place.archived_at is not null
    and not exists (
      select from subscription_period later
      where later.organization_id = last.organization_id and later.stream_id = last.stream_id
        and later.to_outbox_id > last.to_outbox_id))`

/**
 * They are in the stream that it is in, could join it, or were in it when it was archived. Changing anything about a
 * message needs that beside reading it.
 */
export const isInReach = (reader: Eyes): RawBuilder<boolean> => sql<boolean>`
  (m.is_private or exists (
    select from subscription here
    where here.organization_id = m.organization_id and here.user_id = ${reader.user_id}
      and here.stream_id = m.recipient_id and here.is_active) or ${isInPublic(reader)} or ${isInLastMembers(reader)})`

/** It came to them when it was sent. */
export const isDelivered = (reader: Eyes): RawBuilder<boolean> => sql<boolean>`
  case when m.is_private then own.user_id is not null else ${wasThere(reader)} and ${knowsPlace(reader)} end`

/**
 * It is theirs wherever they are now: it came to them, or they starred it or reacted to it. Where they can no longer
 * reach the stream, only as long as nothing of it changes.
 */
export const isReceived = (reader: Eyes): RawBuilder<boolean> => sql<boolean>`
  ((own.user_id is not null or (not m.is_private and ${wasThere(reader)} and ${knowsPlace(reader)}))
    and ${isAsTheyKnewIt(reader)})`

/** The stream shows what was said before they came. */
export const isOpenHistory = ({ user_id, role }: Reader): RawBuilder<boolean> => sql<boolean>`
  (not m.is_private and exists (
    select from stream s
    where s.organization_id = m.organization_id and s.id = m.recipient_id
      and s.archived_at is null and s.history_public_to_subscribers
      and (${role !== Role.guest} and not s.invite_only or exists (
        select from subscription own_subscription
        where own_subscription.organization_id = m.organization_id and own_subscription.user_id = ${user_id}
          and own_subscription.stream_id = m.recipient_id and own_subscription.is_active))))`

/** They may read it. */
export const isReadable = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (${isReceived(reader)} or ${isOpenHistory(reader)})`

/** As the numbers and marks have it; whether it ever was unread for them is not looked at. */
function isMarkedRead(reader: Eyes): RawBuilder<boolean> {
  const { user_id } = reader
  if (!('role' in reader)) return readBy(sql`mark.is_read`, sql`sent.read_to`, sql`setting.read_to`)
  return readBy(
    sql`(select mark.is_read from read_mark mark
      where mark.organization_id = m.organization_id and mark.user_id = ${user_id}
        and mark.stream_id = m.sent_recipient_id and mark.message_id = m.id)`,
    sql`(select s.read_to from subscription s
      where s.organization_id = m.organization_id and s.user_id = ${user_id} and s.stream_id = m.sent_recipient_id)`,
    sql`(select setting.read_to from user_setting setting
      where setting.organization_id = m.organization_id and setting.user_id = ${user_id})`,
  )
}

const readBy = (mark: RawBuilder<unknown>, ...numbers: RawBuilder<unknown>[]) =>
  sql<boolean>`coalesce(${mark}, m.id < greatest(${sql.join(numbers)}))`

/**
 * They have been in the stream, without a break, since the message came to be in it; where it was sent, since it was sent
 * there, so that what is unread lies above one id in each stream, whatever was moved away and back.
 */
function isStillThere(reader: Eyes): RawBuilder<boolean> {
  const isSince = sql<boolean>`here.from_message_id <= case when ${isMoved} then m.arrived_id else m.id end`
  if (!('role' in reader)) return sql`coalesce(${isSince}, false)`
  return sql`exists (
    select from subscription_period here
    where here.organization_id = m.organization_id and here.user_id = ${reader.user_id}
      and here.stream_id = m.recipient_id and here.to_message_id is null and ${isSince})`
}

/** Wherever it was before it was moved, they were there for as long as it was: whoever leaves it behind has read it. */
const wentAlong = ({ user_id }: Eyes) => sql<boolean>`(m.arrived_id = m.id or not exists (
  select from message_stay stay
  where stay.organization_id = m.organization_id and stay.message_id = m.id and not exists (
    select from subscription_period p
    where p.organization_id = m.organization_id and p.user_id = ${user_id} and p.stream_id = stay.stream_id
      and p.from_message_id <= stay.from_id and (p.to_message_id is null or p.to_message_id > stay.to_id))))`

/** A message to a stream came to them, and they have been where it is ever since. Whoever leaves a stream has read what is in it. */
export const canBeUnread = (reader: Eyes): RawBuilder<boolean> => sql<boolean>`
  (${isStillThere(reader)} and ${wentAlong(reader)})`

export const isUnread = (reader: Eyes): RawBuilder<boolean> => sql<boolean>`
  case when m.is_private then coalesce(own.is_unread, false)
    else ${canBeUnread(reader)} and not ${isMarkedRead(reader)} end`
