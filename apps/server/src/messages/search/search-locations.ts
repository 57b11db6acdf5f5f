import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Narrow } from '../read/narrow/narrow.ts'
import type { Reader } from '../visibility.ts'

/** Bits of a message id within a slice; must equal the number in the SQL function `search_keys`. */
export const sliceBits = 20

/** A stream or conversation, with the range of time slices to search. */
export interface SearchLocation {
  id: number
  first: number
  last: number
}

/**
 * Lists the locations that may contain messages which match the narrow and are visible to the
 * reader.
 */
export async function listSearchLocations(db: Db, reader: Reader, narrow: Narrow): Promise<SearchLocation[]> {
  const { about, includesHistory } = narrow
  if (about.stream) return forOne(about.stream.id)
  if (about.conversation !== undefined) return forOne(about.conversation)
  if (about.own === 'is_private') return readLocations(db, conversations(reader))
  if (about.isPublic && includesHistory) return readLocations(db, publicStreams(reader))
  return readLocations(
    db,
    sql.join([subscribedStreams(reader), conversations(reader), indirectMessages(reader)], sql` union `),
  )
}

const newestSlice = Math.floor(Number.MAX_SAFE_INTEGER / 2 ** sliceBits)

const forOne = (id: number | null): SearchLocation[] =>
  id === null ? [] : [{ id, first: 0, last: newestSlice }]

async function readLocations(db: Db, selection: RawBuilder<unknown>): Promise<SearchLocation[]> {
  const { rows } = await sql<SearchLocation>`${selection}`.execute(db)
  return rows
}

type SelectLocations = (reader: Reader) => RawBuilder<unknown>

const allSlices = sql`0::bigint as first, ${newestSlice}::bigint as last`
const sqlSlice = (id: RawBuilder<unknown>) => sql`${id} >> ${sql.lit(sliceBits)}`

/**
 * Streams during the reader's subscription periods: received messages were sent there then, even if
 * they were moved since.
 */
const subscribedStreams: SelectLocations = ({ organization_id, user_id }) => sql`
  select stream_id as id, ${sqlSlice(sql`from_message_id`)} as first,
    coalesce(${sqlSlice(sql`to_message_id`)}, ${newestSlice}) as last
  from subscription_period where organization_id = ${organization_id} and user_id = ${user_id}`

const conversations: SelectLocations = ({ organization_id, user_id }) => sql`
  select conversation_id as id, ${allSlices} from conversation_member
  where organization_id = ${organization_id} and user_id = ${user_id}`

const publicStreams: SelectLocations = ({ organization_id }) => sql`
  select id, ${allSlices} from stream where organization_id = ${organization_id} and not invite_only`

/**
 * Messages that the reader starred or reacted to, and for bots also messages that mention them
 * anywhere.
 */
const indirectMessages: SelectLocations = ({ organization_id, user_id }) => sql`
  select m.recipient_id as id, ${sqlSlice(sql`m.id`)} as first, ${sqlSlice(sql`m.id`)} as last from user_message own
  join message m on m.organization_id = own.organization_id and m.id = own.message_id
  where own.organization_id = ${organization_id} and own.user_id = ${user_id} and own.is_historical
  union
  select m.recipient_id, ${sqlSlice(sql`m.id`)}, ${sqlSlice(sql`m.id`)} from user_account u
  join user_message own on own.organization_id = u.organization_id and own.user_id = u.id and not own.is_private
  join message m on m.organization_id = own.organization_id and m.id = own.message_id
  where u.organization_id = ${organization_id} and u.id = ${user_id} and u.bot_type is not null`
