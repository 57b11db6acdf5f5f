import { ApiError, type OrganizationId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { CustomEmojiRow, Tables } from '../../platform/database/tables.ts'
import type { FileReferences } from '../../platform/files/check-files.ts'

/** Lists all custom emoji by id, including deactivated ones. */
export async function listCustomEmoji(db: Db, organization_id: OrganizationId): Promise<CustomEmojiRow[]> {
  return db
    .selectFrom('custom_emoji')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('id')
    .execute()
}

/** Counts all custom emoji. Deactivated ones are included because clients receive them too. */
export async function countCustomEmoji(db: Db, organization_id: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('custom_emoji')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds the active custom emoji of this name. */
export async function findCustomEmoji(
  db: Db,
  organization_id: OrganizationId,
  name: string,
): Promise<CustomEmojiRow | undefined> {
  return db
    .selectFrom('custom_emoji')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('name', '=', name)
    .where('is_deactivated', '=', false)
    .executeTakeFirst()
}

/** Finds a custom emoji, active or not, by its id, which is the emoji code in reactions. */
export async function findCustomEmojiById(
  db: Db,
  organization_id: OrganizationId,
  id: string,
): Promise<CustomEmojiRow | undefined> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return undefined
  return db
    .selectFrom('custom_emoji')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', Number(id))
    .executeTakeFirst()
}

export async function takeEmojiId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('custom_emoji_id') as id`.execute(db)
  return rows[0]?.id as number
}

export async function insertCustomEmoji(tx: Tx, values: Insertable<Tables['custom_emoji']>): Promise<void> {
  await tx
    .insertInto('custom_emoji')
    .values(values)
    .execute()
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'custom_emoji_name_key') throw new ApiError('EMOJI_NAME_TAKEN')
      throw error
    })
}

export async function deactivateCustomEmoji(
  tx: Tx,
  { organization_id, id }: Pick<CustomEmojiRow, 'organization_id' | 'id'>,
): Promise<void> {
  await tx
    .updateTable('custom_emoji')
    .set({ is_deactivated: true })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Selects the keys of all emoji pictures, as `getEmojiPictureKey` builds them. */
export const emojiFileReferences: FileReferences = sql`
  select 'emoji/' || organization_id || '/' || file as key from custom_emoji`
