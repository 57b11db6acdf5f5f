import type { BotType, UserId } from '@oxbow/contract'
import type { References } from '@oxbow/markdown'
import { sql } from 'kysely'
import { filterSeen } from '../../identity/accounts/sight.ts'
import type { Db } from '../../platform/database/database.ts'
import { selectStreams } from '../../streams/queries.ts'
import type { Reader } from '../visibility.ts'

export interface NamedPerson {
  id: UserId
  full_name: string
  bot_type: BotType | null
}

/** Lists active accounts with one of these names or ids that the writer sees, oldest first. */
export async function listNamedPeople(
  db: Db,
  writer: Reader,
  named: References['people'],
): Promise<NamedPerson[]> {
  if (named.length === 0) return []
  const names = named.map(({ name }) => name.toLowerCase())
  const ids = named.flatMap(({ id }) => id ?? [])
  const { rows } = await sql<NamedPerson>`
    select id, full_name, bot_type from user_account
    where organization_id = ${writer.organization_id} and is_active
      and (lower(full_name) = any(${names}::text[]) or id = any(${ids}::bigint[]))
    order by id`.execute(db)
  const seen = await filterSeen(
    db,
    writer,
    rows.map(({ id }) => id),
  )
  return rows.filter(({ id }) => seen.has(id))
}

/** Lists streams with exactly these names, with the writer's membership. */
export async function listNamedStreams(db: Db, writer: Reader, names: readonly string[]) {
  if (names.length === 0) return []
  return selectStreams(db, writer)
    .where((eb) => eb('stream.name', '=', eb.fn.any(eb.val([...names]))))
    .where('stream.archived_at', 'is', null)
    .execute()
}

export async function getEmoticonSetting(db: Db, { organization_id, user_id }: Reader): Promise<boolean> {
  const { translate_emoticons } = await db
    .selectFrom('user_setting')
    .select('translate_emoticons')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return translate_emoticons
}
