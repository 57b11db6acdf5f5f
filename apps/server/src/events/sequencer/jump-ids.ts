import type pg from 'pg'

/**
 * How far ids jump where the database may have lost ids that it gave out: `atLeast`, and `perSecond` for each second
 * since the database is known to have been in use. More than a server can give out in that time, and little enough to
 * stay far below 2^53 for centuries.
 */
interface Jump {
  atLeast: number
  perSecond: number
}

/** Numbers of an organization's log: one record may take thousands. */
const eventNumbers: Jump = { atLeast: 1_000_000, perSecond: 1_000_000 }
/** Ids that every message, reaction or event takes. */
const busyIds: Jump = { atLeast: 1_000_000, perSecond: 20_000 }
/** Ids of accounts, streams and the like, which some clients keep in 32 bits. */
const otherIds: Jump = { atLeast: 100_000, perSecond: 1_000 }

const busySequences = ['message_id', 'outbox_id', 'reaction_id_seq', 'message_edit_id_seq']

const sizeOf = ({ atLeast, perSecond }: Jump, seconds: number): number =>
  atLeast + Math.ceil(Math.max(seconds, 0)) * perSecond

/** The jump of event numbers after so many seconds that may be lost. */
export const eventNumberJump = (seconds: number): number => sizeOf(eventNumbers, seconds)

/**
 * Moves every sequence of the schema beyond all that may have been given out in the seconds that may be lost, and notes
 * the message ids that are skipped. Also where the caller's transaction fails: sequences never go back.
 */
export async function jumpIds(client: pg.ClientBase, seconds: number): Promise<void> {
  await client.query(
    `with jumped as materialized (
       select sequencename as name, coalesce(last_value, 0) as was,
         setval(
           format('%I.%I', schemaname, sequencename)::regclass,
           coalesce(last_value, 0) + case when sequencename = any($1) then $2::bigint else $3::bigint end
         ) as value
       from pg_sequences where schemaname = current_schema()
     )
     insert into message_id_gap (first_id, last_id)
     select was + 1, value from jumped where name = 'message_id'`,
    [busySequences, sizeOf(busyIds, seconds), sizeOf(otherIds, seconds)],
  )
}
