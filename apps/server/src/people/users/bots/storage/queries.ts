import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/database/database.ts'
import type { AccountKey } from '../queries.ts'

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Lists stored texts of an account by their keys, or all of them. */
export async function listStored(
  db: Db,
  { organization_id, user_id }: AccountKey,
  keys: readonly string[] | 'all',
): Promise<{ key: string; value: string }[]> {
  const stored = db
    .selectFrom('bot_storage')
    .select(['key', 'value'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
  const digests = keys === 'all' ? undefined : keys.map(digestOf)
  const selected = digests ? stored.where((eb) => eb('key_digest', '=', eb.fn.any(eb.val(digests)))) : stored
  return selected.orderBy('key').execute()
}

/** Counts the characters of all stored entries except those with these keys. */
export async function countOtherCharacters(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  keys: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ characters: number }>`
    select coalesce(sum(characters), 0)::bigint as characters from bot_storage
    where organization_id = ${organization_id} and user_id = ${user_id}
      and key_digest <> all(${keys.map(digestOf)}::bytea[])`.execute(tx)
  return rows[0]?.characters ?? 0
}

export async function storeTexts(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  texts: readonly [key: string, value: string][],
): Promise<void> {
  await sql`
    insert into bot_storage (organization_id, user_id, key_digest, key, value)
    select ${organization_id}, ${user_id}, key_digest, key, value
    from unnest(
      ${texts.map(([key]) => digestOf(key))}::bytea[],
      ${texts.map(([key]) => key)}::text[],
      ${texts.map(([, value]) => value)}::text[]
    ) as given (key_digest, key, value)
    on conflict (organization_id, user_id, key_digest) do update set value = excluded.value`.execute(tx)
}

/** Deletes texts and returns how many there were. */
export async function removeStored(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  keys: readonly string[] | 'all',
): Promise<number> {
  const stored = tx
    .deleteFrom('bot_storage')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
  const digests = keys === 'all' ? undefined : keys.map(digestOf)
  const selected = digests ? stored.where((eb) => eb('key_digest', '=', eb.fn.any(eb.val(digests)))) : stored
  const { numDeletedRows } = await selected.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
