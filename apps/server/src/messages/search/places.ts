import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Narrow } from '../read/narrow/compile.ts'
import type { Reader } from '../visibility.ts'

/** As `search_keys` cuts them. */
export const sliceBits = 20

/** A stream or a conversation, with the slices of time that are looked at there. */
export interface Place {
  id: number
  first: number
  last: number
}

/** Where something can be that fits a narrow, and that the reader may see. */
export async function listPlaces(db: Db, reader: Reader, narrow: Narrow): Promise<Place[]> {
  const { about, includesHistory } = narrow
  if (about.stream) return only(about.stream.id)
  if (about.conversation !== undefined) return only(about.conversation)
  if (about.own === 'is_private') return select(db, conversations(reader))
  if (about.isPublic && includesHistory) return select(db, publicStreams(reader))
  return select(db, sql.join([stays(reader), conversations(reader), comeAcross(reader)], sql` union `))
}

const newestSlice = Math.floor(Number.MAX_SAFE_INTEGER / 2 ** sliceBits)

const only = (id: number | null): Place[] => (id === null ? [] : [{ id, first: 0, last: newestSlice }])

async function select(db: Db, places: RawBuilder<unknown>): Promise<Place[]> {
  const { rows } = await sql<Place>`${places}`.execute(db)
  return rows
}

type Selected = (reader: Reader) => RawBuilder<unknown>

const always = sql`0::bigint as first, ${newestSlice}::bigint as last`
const sliceOf = (id: RawBuilder<unknown>) => sql`${id} >> ${sql.lit(sliceBits)}`

/** Streams while they were in them: what came to them was sent there then, wherever it is now. */
const stays: Selected = ({ organization_id, user_id }) => sql`
  select stream_id as id, ${sliceOf(sql`from_message_id`)} as first,
    coalesce(${sliceOf(sql`to_message_id`)}, ${newestSlice}) as last
  from subscription_period where organization_id = ${organization_id} and user_id = ${user_id}`

const conversations: Selected = ({ organization_id, user_id }) => sql`
  select conversation_id as id, ${always} from conversation_member
  where organization_id = ${organization_id} and user_id = ${user_id}`

const publicStreams: Selected = ({ organization_id }) => sql`
  select id, ${always} from stream where organization_id = ${organization_id} and not invite_only`

/** What they starred or reacted to; and bots receive what calls them, wherever that is. */
const comeAcross: Selected = ({ organization_id, user_id }) => sql`
  select m.recipient_id as id, ${sliceOf(sql`m.id`)} as first, ${sliceOf(sql`m.id`)} as last from user_message own
  join message m on m.organization_id = own.organization_id and m.id = own.message_id
  where own.organization_id = ${organization_id} and own.user_id = ${user_id} and own.is_historical
  union
  select m.recipient_id, ${sliceOf(sql`m.id`)}, ${sliceOf(sql`m.id`)} from user_account u
  join user_message own on own.organization_id = u.organization_id and own.user_id = u.id and not own.is_private
  join message m on m.organization_id = own.organization_id and m.id = own.message_id
  where u.organization_id = ${organization_id} and u.id = ${user_id} and u.bot_type is not null`
