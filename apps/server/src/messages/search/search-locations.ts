import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import type { SearchHints, SearchLocation, SelectLocations } from './search-hints.ts'

/**
 * Number of low bits of a message id that do not affect its slice. Must equal the number in the SQL
 * function `search_keys`.
 */
export const sliceBits = 20

/** Lists the locations that can contain visible messages that match the narrow. */
export async function listSearchLocations(
  db: Db,
  reader: Reader,
  { locations = selectReceivedLocations }: SearchHints,
  includesHistory: boolean,
): Promise<readonly SearchLocation[]> {
  if (typeof locations !== 'function') return locations
  const { rows } = await sql<SearchLocation>`${locations(reader, includesHistory)}`.execute(db)
  return rows
}

const newestSlice = Math.floor(Number.MAX_SAFE_INTEGER / 2 ** sliceBits)

/** Returns one stream or conversation as the only location. */
export const listOneLocation = (id: number): SearchLocation[] => [{ id, first: 0, last: newestSlice }]

const allSlices = sql`0::bigint as first, ${newestSlice}::bigint as last`
const sqlSlice = (id: RawBuilder<unknown>) => sql`${id} >> ${sql.lit(sliceBits)}`

/**
 * SQL query of the reader's streams with the slices of the subscription periods. It covers received
 * messages even if they were moved later.
 */
const subscribedStreams = ({ organization_id, user_id }: Reader) => sql`
  select stream_id as id, ${sqlSlice(sql`from_message_id`)} as first,
    coalesce(${sqlSlice(sql`to_message_id`)}, ${newestSlice}) as last
  from subscription_period where organization_id = ${organization_id} and user_id = ${user_id}`

export const selectConversations = ({ organization_id, user_id }: Reader): RawBuilder<unknown> => sql`
  select conversation_id as id, ${allSlices} from conversation_member
  where organization_id = ${organization_id} and user_id = ${user_id}`

/**
 * Selects all public streams. If the narrow does not include history, selects the locations of
 * received messages instead.
 */
export const selectPublicStreams: SelectLocations = (reader, includesHistory) =>
  includesHistory
    ? sql`
      select id, ${allSlices} from stream where organization_id = ${reader.organization_id} and not invite_only`
    : selectReceivedLocations(reader)

/**
 * SQL query of the locations of messages that the reader has for a reason other than delivery:
 * starred messages, messages with the reader's reactions, and for bots messages that mention them.
 */
const indirectMessages = ({ organization_id, user_id }: Reader) => sql`
  select m.recipient_id as id, ${sqlSlice(sql`m.id`)} as first, ${sqlSlice(sql`m.id`)} as last from user_message own
  join message m on m.organization_id = own.organization_id and m.id = own.message_id
  where own.organization_id = ${organization_id} and own.user_id = ${user_id} and own.is_historical
  union
  select m.recipient_id, ${sqlSlice(sql`m.id`)}, ${sqlSlice(sql`m.id`)} from user_account u
  join user_message own on own.organization_id = u.organization_id and own.user_id = u.id and not own.is_private
  join message m on m.organization_id = own.organization_id and m.id = own.message_id
  where u.organization_id = ${organization_id} and u.id = ${user_id} and u.bot_type is not null`

const selectReceivedLocations = (reader: Reader): RawBuilder<unknown> =>
  sql.join([subscribedStreams(reader), selectConversations(reader), indirectMessages(reader)], sql` union `)
