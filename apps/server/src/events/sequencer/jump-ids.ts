import type pg from 'pg'

/**
 * The distance by which ids jump if the database may have lost ids that it had assigned: `atLeast`, plus
 * `perSecond` for each second since the database was last known to be in use. The jump is larger than the
 * number of ids that a server can assign in that time, and small enough that ids stay far below 2^53 for
 * centuries.
 */
interface Jump {
  atLeast: number
  perSecond: number
}

/** Numbers of an organization's log. One record may take thousands of them. */
const eventNumbers: Jump = { atLeast: 1_000_000, perSecond: 1_000_000 }
/** Ids of messages, reactions, edits and outbox rows. */
const busyIds: Jump = { atLeast: 1_000_000, perSecond: 20_000 }
/** Ids of accounts, streams and the like, which some clients store in 32 bits. */
const otherIds: Jump = { atLeast: 100_000, perSecond: 1_000 }

const busySequences = ['message_id', 'outbox_id', 'reaction_id_seq', 'message_edit_id_seq']

const jumpSize = ({ atLeast, perSecond }: Jump, seconds: number): number =>
  atLeast + Math.ceil(Math.max(seconds, 0)) * perSecond

/** Returns how far event numbers jump when the last `seconds` of commits may be lost. */
export const eventNumberJump = (seconds: number): number => jumpSize(eventNumbers, seconds)

/**
 * Moves every sequence of the schema beyond all ids that may have been assigned in the lost
 * seconds, and records the skipped message ids. Sequences stay moved even if the caller's
 * transaction rolls back.
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
    [busySequences, jumpSize(busyIds, seconds), jumpSize(otherIds, seconds)],
  )
}
