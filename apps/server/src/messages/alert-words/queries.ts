import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

type AccountKey = Pick<Actor, 'organization_id' | 'user_id'>

/** Lists an account's words as written, in the order they were added. */
export async function listAlertWordsOfUser(
  db: Db,
  { organization_id, user_id }: AccountKey,
): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_word')
    .select('spelling')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
  return rows.map(({ spelling }) => spelling)
}

export interface AlertWord {
  organization_id: OrganizationId
  user_id: UserId
  word: string
}

/** Lists the words of all accounts of these organizations. */
export async function listAlertWordsOfOrganizations(
  db: Db,
  organizations: readonly OrganizationId[],
): Promise<AlertWord[]> {
  return db
    .selectFrom('alert_word')
    .select(['organization_id', 'user_id', 'word'])
    .where((eb) => eb('organization_id', '=', eb.fn.any(eb.val([...organizations]))))
    .execute()
}

/** Inserts words, keyed by their lower-case form. Returns false if none is new. */
export async function insertAlertWords(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  spellings: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into alert_word (organization_id, user_id, word, spelling)
    select ${organization_id}, ${user_id}, word, spelling
    from unnest(${[...spellings.keys()]}::text[], ${[...spellings.values()]}::text[]) with ordinality
      as given (word, spelling, ordinal)
    order by ordinal
    on conflict do nothing returning word`.execute(tx)
  return rows.length > 0
}

/** Deletes words of an account. Returns false if it had none of them. */
export async function deleteAlertWords(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  words: readonly string[],
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('alert_word')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where((eb) => eb('word', '=', eb.fn.any(eb.val([...words]))))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
