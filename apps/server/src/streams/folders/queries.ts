import { ApiError, type OrganizationId, type StreamFolderId } from '@oxbow/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { StreamFolderRow, Tables } from '../../platform/database/tables.ts'

type FolderKey = Pick<StreamFolderRow, 'organization_id' | 'id'>

/** Lists all folders in their order, archived ones included. */
export async function listFolders(db: Db, organization_id: OrganizationId): Promise<StreamFolderRow[]> {
  return db
    .selectFrom('stream_folder')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

export async function findFolder(
  db: Db,
  organization_id: OrganizationId,
  id: StreamFolderId,
): Promise<StreamFolderRow | undefined> {
  return db
    .selectFrom('stream_folder')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns whether the folder contains a stream that is not archived. */
export async function hasStreams(db: Db, { organization_id, id }: FolderKey): Promise<boolean> {
  const found = await db
    .selectFrom('stream')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('folder_id', '=', id)
    .where('archived_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertFolder(
  tx: Tx,
  values: Insertable<Tables['stream_folder']>,
): Promise<StreamFolderRow> {
  return tx
    .insertInto('stream_folder')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseTakenName)
}

export async function updateFolderRow(
  tx: Tx,
  { organization_id, id }: FolderKey,
  values: Updateable<Tables['stream_folder']>,
): Promise<void> {
  await tx
    .updateTable('stream_folder')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
    .catch(refuseTakenName)
}

function refuseTakenName(error: unknown): never {
  if (violatedConstraint(error) === 'stream_folder_name_key') throw new ApiError('STREAM_FOLDER_EXISTS')
  throw error
}

/** Numbers the folders in the order of the list, which must contain all of them. */
export async function orderFolders(
  tx: Tx,
  organization_id: OrganizationId,
  order: readonly StreamFolderId[],
): Promise<void> {
  await sql`
    update stream_folder set position = given.ordinal - 1
    from unnest(${order}::bigint[]) with ordinality as given (id, ordinal)
    where stream_folder.organization_id = ${organization_id} and stream_folder.id = given.id`.execute(tx)
}
