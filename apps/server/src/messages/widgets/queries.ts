import type { MessageId, Submessage } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { canSeeSubmessage, type Reader } from '../visibility.ts'

/** `msg_type` of the submessages of polls, to-do lists and forms. */
export const widgetType = 'widget'

/**
 * Bytes of the submessages of one page of messages. Every page has room for several messages whose
 * submessages reach their own limits, so clients that read page by page always get further.
 */
const maxBytesPerPage = 8_000_000
/** Bytes that count for each submessage besides its content: ids, type and the names of the fields. */
const bytesBesideContent = 120

export interface PageSubmessages {
  submessages: Submessage[]
  /** The first message that does not fit; it and those after it must be left out. */
  firstLeftOut: MessageId | undefined
}

/**
 * Lists the submessages of readable messages that the reader may see, by id within each message. The
 * messages are taken in the given order while their submessages have `maxBytesPerPage` together.
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
 * Returns the messages that have submessages, in the given order, up to the first that does not fit.
 * Later ones are not read: a page can have gigabytes of them.
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
  /** Whether the sender of the message added one of them. */
  has_started: boolean
  /** The content of the first submessage, where it is of the type `widget`. */
  widget: string | null
}

/** Counts the submessages of a message, and those of the reader among them. */
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

/** Returns the id of the new submessage. */
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
