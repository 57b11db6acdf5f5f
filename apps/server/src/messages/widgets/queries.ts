import { type MessageId, maxTotalSubmessageBytes, type Submessage } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { canSeeSubmessage, type Reader } from '../visibility.ts'

/** The `msg_type` of poll, to-do list and form submessages. */
const widgetType = 'widget'

/** Bytes that a submessage takes in a response besides its type and content: ids and field names. */
const bytesBesideTexts = 120

/** SQL expression for the size of a row `s` of submessage in a response. */
const submessageBytes = sql`(${sql.lit(bytesBesideTexts)} + octet_length(to_json(s.msg_type)::text)
  + octet_length(to_json(s.content)::text))`

/** Returns the size of a submessage in a response, like `submessageBytes`. */
export const countSubmessageBytes = ({
  msg_type,
  content,
}: Pick<Submessage, 'msg_type' | 'content'>): number =>
  bytesBesideTexts + Buffer.byteLength(JSON.stringify(msg_type)) + Buffer.byteLength(JSON.stringify(content))

/**
 * Selects the visible submessages of a readable message, oldest first, as many as have `maxTotalSubmessageBytes`. Only
 * messages from before there was this limit, or imported ones, have more.
 */
export const selectSubmessages = (
  reader: Reader,
  message_id: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select * from (
    select sized.*, sum(bytes) over (order by id) as own_bytes from (
      select s.id, s.message_id, s.sender_id, s.msg_type, s.content, ${submessageBytes} as bytes
      from submessage s
      join message m on m.organization_id = s.organization_id and m.id = s.message_id
      where s.organization_id = ${reader.organization_id} and s.message_id = ${message_id}
        and ${canSeeSubmessage(reader)}
    ) as sized
  ) as counted
  where own_bytes <= ${sql.lit(maxTotalSubmessageBytes)}`

export interface SubmessageTotals {
  count: number
  /** Size of all submessages in a response. */
  bytes: number
  own_count: number
  /** Bytes of the content of the reader's own submessages. */
  own_bytes: number
  /** Whether the message's sender added at least one of the submessages. */
  has_started: boolean
  /** The content of the first submessage; null if its type is not `widget`. */
  widget: string | null
}

/** Counts the submessages of a message, in total and for the reader's own. */
export async function countSubmessages(
  tx: Tx,
  { organization_id, user_id }: Reader,
  { id, sender_id }: { id: MessageId; sender_id: number },
): Promise<SubmessageTotals> {
  const { rows } = await sql<SubmessageTotals>`
    select count(*)::int as count, coalesce(sum(${submessageBytes}), 0)::float8 as bytes,
      count(*) filter (where sender_id = ${user_id})::int as own_count,
      coalesce(sum(octet_length(content)) filter (where sender_id = ${user_id}), 0)::int as own_bytes,
      coalesce(bool_or(sender_id = ${sender_id}), false) as has_started,
      (select case when first.msg_type = ${widgetType} then first.content end from submessage first
       where first.organization_id = ${organization_id} and first.message_id = ${id}
       order by first.id limit 1) as widget
    from submessage s where organization_id = ${organization_id} and message_id = ${id}`.execute(tx)
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
