import type { OrganizationId, UploadId } from '@oxbow/contract'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { autocommit, type Db, type Tx } from '../../platform/database/database.ts'
import type { Tables, UploadRow } from '../../platform/database/tables.ts'
import type { FileReferences } from '../../platform/files/check-files.ts'
import { canReadUpload } from '../attachments/access.ts'
import { getUsedSpace, type UsedSpace } from '../attachments/queries.ts'
import type { Reader } from '../visibility.ts'

/** Selects the file keys of all uploads. */
export const uploadFileReferences: FileReferences = sql<{ key: string }>`
  select 'uploads/' || substring(path_id from '^[^/]*/[^/]*/[^/]*') as key from upload`

/**
 * Selects the keys of the thumbnails that were drawn. Missing thumbnails are not reported, because
 * they can be drawn again.
 */
export const thumbnailReferences: FileReferences = sql<{ key: string }>`
  select 'uploads/' || substring(path_id from '^[^/]*/[^/]*/[^/]*') || '.' || format as key
  from upload cross join unnest(thumbnail_formats) as format`

export interface AccessibleUpload extends UploadRow {
  can_read: boolean
}

/** Finds an upload of the reader's organization, and whether the reader may read the file. */
export async function findUpload(
  db: Db,
  reader: Reader,
  which: { path_id: string } | { id: UploadId },
): Promise<AccessibleUpload | undefined> {
  const isRequested = 'id' in which ? sql`u.id = ${which.id}` : sql`u.path_id = ${which.path_id}`
  const { rows } = await sql<AccessibleUpload>`
    select u.*, ${canReadUpload(reader)} as can_read from upload u
    where u.organization_id = ${reader.organization_id} and ${isRequested}`.execute(db)
  return rows[0]
}

/**
 * Returns the storage that an organization's uploads use. Locks it, so that no upload of the
 * organization can be added or removed until the transaction ends.
 */
export async function lockUsedSpace(tx: Tx, organization_id: OrganizationId): Promise<UsedSpace> {
  // Inserts the row if it is missing. Otherwise the update changes nothing, but locks the row.
  await sql`
    insert into upload_usage as used (organization_id, bytes) values (${organization_id}, 0)
    on conflict (organization_id) do update set bytes = used.bytes`.execute(tx)
  return getUsedSpace(tx, organization_id)
}

export interface RecentUploads {
  files: number
  bytes: number
  /** Age of the oldest of these files in seconds. */
  oldest_seconds: number
}

interface RecentUploadsOf extends Pick<UploadRow, 'organization_id' | 'owner_id'> {
  limit: number
}

/** Counts the account's uploads of the last 24 hours, at most the newest `limit` of them. */
export async function getRecentUploads(db: Db, which: RecentUploadsOf): Promise<RecentUploads> {
  const { rows } = await selectRecentUploads(which).execute(db)
  return rows[0] as RecentUploads
}

export function selectRecentUploads({
  organization_id,
  owner_id,
  limit,
}: RecentUploadsOf): RawBuilder<RecentUploads> {
  return sql<RecentUploads>`
    select count(*)::int as files, coalesce(sum(size), 0)::float8 as bytes,
      coalesce(extract(epoch from statement_timestamp() - min(created_at)), 0)::float8 as oldest_seconds
    from (
      select size, created_at from upload
      where organization_id = ${organization_id} and owner_id = ${owner_id}
        and created_at > statement_timestamp() - interval '1 day'
      order by created_at desc limit ${limit}
    ) newest`
}

export async function insertUnfinishedUpload(
  db: Db,
  row: Insertable<Tables['unfinished_upload']>,
): Promise<void> {
  await autocommit(db).insertInto('unfinished_upload').values(row).execute()
}

/** Deletes the row of an unfinished upload. Returns false if the cleanup job has deleted it. */
export async function deleteUnfinishedUpload(db: Db, path_id: string): Promise<boolean> {
  const { numDeletedRows } = await autocommit(db)
    .deleteFrom('unfinished_upload')
    .where('path_id', '=', path_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function insertUpload(tx: Tx, row: Insertable<Tables['upload']>): Promise<UploadRow> {
  return tx.insertInto('upload').values(row).returningAll().executeTakeFirstOrThrow()
}

const isExpired = (days: number) => sql<boolean>`
  u.unclaimed_since < clock_timestamp() - make_interval(days => ${days})`

/** Lists organizations with uploads that nothing has referred to for `days` days. */
export async function listOrganizationsWithExpiredUploads(db: Db, days: number): Promise<OrganizationId[]> {
  const { rows } = await sql<{ organization_id: OrganizationId }>`
    select distinct u.organization_id from upload u where ${isExpired(days)} order by 1`.execute(db)
  return rows.map(({ organization_id }) => organization_id)
}

/**
 * Locks uploads of an organization that nothing has referred to for `days` days and that meet the
 * condition on `u`.
 */
export async function lockExpiredUploads(
  tx: Tx,
  organization_id: OrganizationId,
  days: number,
  limit: number,
  condition: RawBuilder<boolean>,
): Promise<UploadId[]> {
  const { rows } = await sql<Pick<UploadRow, 'id'>>`
    select u.id from upload u
    where u.organization_id = ${organization_id} and ${isExpired(days)} and ${condition}
    order by u.unclaimed_since limit ${limit} for update skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Lists uploads that were started more than `hours` hours ago and never finished. */
export async function listAbandonedUploads(db: Db, hours: number): Promise<string[]> {
  const { rows } = await sql<{ path_id: string }>`
    select path_id from unfinished_upload
    where started_at < clock_timestamp() - make_interval(hours => ${hours})`.execute(db)
  return rows.map(({ path_id }) => path_id)
}

/** Finds an active account in an active organization, with the organization's subdomain. */
export async function findActiveReader(
  db: Db,
  { organization_id, user_id }: Pick<Reader, 'organization_id' | 'user_id'>,
): Promise<(Reader & { subdomain: string }) | undefined> {
  return db
    .selectFrom('user_account')
    .innerJoin('organization', 'organization.id', 'organization_id')
    .select(['organization_id', 'user_account.id as user_id', 'role', 'subdomain'])
    .where('organization_id', '=', organization_id)
    .where('user_account.id', '=', user_id)
    .where('is_active', '=', true)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
}

type UploadKey = Pick<UploadRow, 'organization_id' | 'id'>

/** Maximum number of attempts to draw the thumbnails of a picture whose decoder crashes or times out. */
export const maxThumbnailAttempts = 3

/**
 * Counts an attempt to draw thumbnails. Returns false if the upload was deleted or no attempts are
 * left.
 */
export async function beginThumbnailAttempt(db: Db, { organization_id, id }: UploadKey): Promise<boolean> {
  const { numUpdatedRows } = await autocommit(db)
    .updateTable('upload')
    .set((eb) => ({ thumbnail_attempts: eb('thumbnail_attempts', '+', 1) }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('thumbnail_attempts', '<', maxThumbnailAttempts)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uncounts an attempt that failed for a reason other than the picture. */
export async function undoThumbnailAttempt(db: Db, { organization_id, id }: UploadKey): Promise<void> {
  await autocommit(db)
    .updateTable('upload')
    .set((eb) => ({ thumbnail_attempts: eb('thumbnail_attempts', '-', 1) }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('thumbnail_attempts', '>', 0)
    .execute()
}

/** Records that thumbnails of this picture cannot be drawn, so that no further attempt is made. */
export async function giveUpThumbnails(db: Db, { organization_id, id }: UploadKey): Promise<void> {
  await autocommit(db)
    .updateTable('upload')
    .set({ thumbnail_attempts: maxThumbnailAttempts })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export interface DrawnPicture {
  width: number
  height: number
  is_animated: boolean
  thumbnail_formats: string[]
}

/**
 * Records that thumbnails are stored, and whether these are all: if not, the attempt counts. Returns false if the
 * upload was deleted in the meantime.
 */
export async function recordThumbnails(
  db: Db,
  { organization_id, id }: UploadKey,
  drawn: DrawnPicture,
  isComplete: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await autocommit(db)
    .updateTable('upload')
    .set({ ...drawn, ...(isComplete && { thumbnail_attempts: 0 }) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
