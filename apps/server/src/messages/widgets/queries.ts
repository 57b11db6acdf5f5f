import type { MessageId, Submessage } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { canSeeSubmessage, type Reader } from '../visibility.ts'

/** The `msg_type` of poll, to-do list and form submessages. */
export const widgetType = 'widget'

/**
 * Maximum size in bytes of all submessages on one page of messages. Several messages with the
 * maximum size of submessages fit, so clients that read page by page always make progress.
 */
const maxBytesPerPage = 8_000_000
/** Bytes added for each submessage besides its content: ids, type and field names. */
const bytesBesideContent = 120

export interface PageSubmessages {
  submessages: Submessage[]
  /** The first message that does not fit. This message and all later ones must be left out. */
  firstLeftOut: MessageId | undefined
}

/**
 * Lists the visible submessages of readable messages, ordered by id within each message. Stops at
 * the first message, in the given order, whose submessages do not fit into `maxBytesPerPage`.
 */
export async function listSubmessages(
  db: Db,
  reader: Reader,
  messages: readonly MessageId[],
): Promise<PageSubmessages> {
  const measured = await measureSubmessages(db, reader, messages)
  const fitting = measured.flatMap(({ message_id, fits }) => (fits ? [message_id] : []))
  return {
    submessages: fitting.length === 0 ? [] : await readSubmessages(db, reader, fitting),
    firstLeftOut: measured.find(({ fits }) => !fits)?.message_id,
  }
}

/**
 * Returns the messages that have submessages, in the given order, up to the first one that does not
 * fit. Later messages are not read, because a page can have gigabytes of submessages.
 */
async function measureSubmessages(
  db: Db,
  { organization_id }: Reader,
  messages: readonly MessageId[],
): Promise<{ message_id: MessageId; fits: boolean }[]> {
  const { rows } = await sql<{ message_id: MessageId; fits: boolean }>`
    with recursive interactive as materialized (
      select coalesce(array_agg(given.id order by given.ordinal), '{}') as ids
      from unnest(${messages}::bigint[]) with ordinality as given (id, ordinal)
      cross join lateral (
        select from submessage s
        where s.organization_id = ${organization_id} and s.message_id = given.id limit 1) as first
    ), walk (ordinal, bytes) as (
      select 0, 0::bigint
      union all
      select walk.ordinal + 1, walk.bytes + (
        select sum(octet_length(s.content) + ${sql.lit(bytesBesideContent)}) from submessage s
        where s.organization_id = ${organization_id} and s.message_id = interactive.ids[walk.ordinal + 1])
      from walk, interactive
      where walk.ordinal < cardinality(interactive.ids) and walk.bytes <= ${sql.lit(maxBytesPerPage)}
    )
    select interactive.ids[walk.ordinal] as message_id, walk.bytes <= ${sql.lit(maxBytesPerPage)} as fits
    from walk, interactive where walk.ordinal > 0
    order by walk.ordinal`.execute(db)
  return rows
}

async function readSubmessages(
  db: Db,
  reader: Reader,
  messages: readonly MessageId[],
): Promise<Submessage[]> {
  const { rows } = await sql<Submessage>`
    select s.id, s.message_id, s.sender_id, s.msg_type, s.content
    from submessage s
    join message m on m.organization_id = s.organization_id and m.id = s.message_id
    where s.organization_id = ${reader.organization_id} and s.message_id = any(${messages}::bigint[])
      and ${canSeeSubmessage(reader)}
    order by s.message_id, s.id`.execute(db)
  return rows
}

export interface SubmessageTotals {
  count: number
  bytes: number
  own_count: number
  own_bytes: number
  /** Whether the message's sender added at least one of the submessages. */
  has_started: boolean
  /** The content of the first submessage; null if its type is not `widget`. */
  widget: string | null
}

/** Counts the submessages of a message and their bytes, in total and for the reader's own. */
export async function countSubmessages(
  tx: Tx,
  { organization_id, user_id }: Reader,
  { id, sender_id }: { id: MessageId; sender_id: number },
): Promise<SubmessageTotals> {
  const { rows } = await sql<SubmessageTotals>`
    select count(*)::int as count, coalesce(sum(octet_length(content)), 0)::int as bytes,
      count(*) filter (where sender_id = ${user_id})::int as own_count,
      coalesce(sum(octet_length(content)) filter (where sender_id = ${user_id}), 0)::int as own_bytes,
      coalesce(bool_or(sender_id = ${sender_id}), false) as has_started,
      (select case when first.msg_type = ${widgetType} then first.content end from submessage first
       where first.organization_id = ${organization_id} and first.message_id = ${id}
       order by first.id limit 1) as widget
    from submessage where organization_id = ${organization_id} and message_id = ${id}`.execute(tx)
  return rows[0] as SubmessageTotals
}

/** Inserts a submessage and returns its id. */
export async function insertSubmessage(
  tx: Tx,
  { organization_id, user_id: sender_id }: Reader,
  added: Pick<Submessage, 'message_id' | 'msg_type' | 'content'>,
): Promise<number> {
  const { id } = await tx
    .insertInto('submessage')
    .values({ organization_id, sender_id, ...added })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
