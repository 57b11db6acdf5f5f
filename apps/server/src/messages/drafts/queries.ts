import type { Draft, DraftId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

type Owner = Pick<Actor, 'organization_id' | 'user_id'>

/** A draft without the fields that the database assigns. */
export interface NewDraft extends Pick<Draft, 'type' | 'to' | 'topic' | 'content'> {
  /** Seconds since the epoch. If undefined, the current time of the database is used. */
  timestamp: number | undefined
}

const draftColumns = sql`id, type, recipients as "to", topic, content, edited_at as timestamp`

/** Lists the drafts of an account, sorted by their last edit, the newest first. */
export async function listDraftsOfUser(db: Db, { organization_id, user_id }: Owner): Promise<Draft[]> {
  const { rows } = await sql<Draft>`
    select ${draftColumns} from draft
    where organization_id = ${organization_id} and user_id = ${user_id}
    order by edited_at desc, id desc`.execute(db)
  return rows
}

export async function findDraft(
  tx: Tx,
  { organization_id, user_id }: Owner,
  id: DraftId,
): Promise<Draft | undefined> {
  const { rows } = await sql<Draft>`
    select ${draftColumns} from draft
    where organization_id = ${organization_id} and user_id = ${user_id} and id = ${id}`.execute(tx)
  return rows[0]
}

/** Returns an account's number of drafts, and the bytes of their texts, topics and recipients. */
export async function measureDrafts(
  tx: Tx,
  { organization_id, user_id }: Owner,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(octet_length(content) + octet_length(topic)
      + octet_length(array_to_string(recipients, ','))), 0)::int as bytes
    from draft
    where organization_id = ${organization_id} and user_id = ${user_id}`.execute(tx)
  return rows[0] as { count: number; bytes: number }
}

/** Inserts drafts, and returns them in the same order. */
export async function insertDrafts(
  tx: Tx,
  { organization_id, user_id }: Owner,
  drafts: readonly NewDraft[],
): Promise<Draft[]> {
  const draftRows = drafts.map(({ timestamp, ...draft }) => ({ ...draft, edited_at: timestamp ?? null }))
  const { rows } = await sql<Draft>`
    insert into draft (organization_id, user_id, type, recipients, topic, content, edited_at)
    select ${organization_id}, ${user_id}, type, "to", topic, content, coalesce(edited_at, ${secondsNow})
    from rows from (
      json_to_recordset(${JSON.stringify(draftRows)}) as (type text, "to" bigint[], topic text, content text, edited_at bigint)
    ) with ordinality as given (type, "to", topic, content, edited_at, ordinal)
    order by ordinal
    returning ${draftColumns}`.execute(tx)
  return rows
}

const secondsNow = sql`floor(extract(epoch from clock_timestamp()))`

/** Replaces a draft, and returns it. */
export async function updateDraft(
  tx: Tx,
  { organization_id, user_id }: Owner,
  id: DraftId,
  { type, to, topic, content, timestamp }: NewDraft,
): Promise<Draft> {
  const { rows } = await sql<Draft>`
    update draft set type = ${type}, recipients = ${to}, topic = ${topic}, content = ${content},
      edited_at = coalesce(${timestamp ?? null}::bigint, ${secondsNow})
    where organization_id = ${organization_id} and user_id = ${user_id} and id = ${id}
    returning ${draftColumns}`.execute(tx)
  return rows[0] as Draft
}

/** Returns false if the account has no such draft. */
export async function deleteDraft(
  tx: Tx,
  { organization_id, user_id }: Owner,
  id: DraftId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('draft')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all drafts of an account. Emits no events. */
export async function deleteAllDrafts(tx: Tx, { organization_id, user_id }: Owner): Promise<void> {
  await tx
    .deleteFrom('draft')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .execute()
}
