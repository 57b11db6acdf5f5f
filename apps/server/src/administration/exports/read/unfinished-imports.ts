import type { OrganizationId } from '@oxbow/contract'
import type pg from 'pg'
import type { App } from '../../../platform/app.ts'
import { openSession } from '../../../platform/archive/open-session.ts'
import { lockKey } from '../../../platform/database/locks.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { findJobsHold } from '../../../platform/jobs/jobs-hold.ts'
import { removeFiles } from '../../organization-deletion/remove-files.ts'

/** Folders of the file store into which an import writes. */
const folders = ['uploads', 'avatars', 'emoji', 'organizations']

/**
 * Records that an import began, and locks it until the session ends. The import's transaction
 * deletes the record, so a record without a lock belongs to an interrupted import.
 */
export async function beginImport(client: pg.ClientBase): Promise<OrganizationId> {
  const { rows } = await client.query<{ id: string }>("select nextval('organization_id_seq') as id")
  const id = Number(rows[0]?.id) as OrganizationId
  await client.query('select pg_advisory_lock($1)', [lockKey('organizationImport', id)])
  await client.query('insert into organization_import (organization_id) values ($1)', [id])
  return id
}

/** Deletes the record of an import, as part of the import's transaction. */
export async function endImport(client: pg.ClientBase, id: OrganizationId): Promise<void> {
  await client.query('delete from organization_import where organization_id = $1', [id])
}

/**
 * Removes the files and the record of an import that did not commit. The caller holds the import's
 * lock.
 */
export async function undoImport(client: pg.ClientBase, files: FileStore, id: OrganizationId): Promise<void> {
  for await (const _ of removeFiles(files, folders, id));
  await endImport(client, id)
}

/**
 * Removes what interrupted imports left in the file store. Leaves imports alone that are running. Does nothing while
 * jobs are held: the database may be a copy of one whose imports were committed since, and share its files.
 */
export async function undoInterruptedImports({
  db,
  config,
  files,
}: Pick<App, 'db' | 'config' | 'files'>): Promise<void> {
  if ((await findJobsHold(db)) !== undefined) return
  await using session = await openSession(config.database_url, 'oxbow import')
  const { client } = session
  const { rows } = await client.query<{ id: string }>('select organization_id as id from organization_import')
  for (const { id } of rows) {
    const lock = lockKey('organizationImport', Number(id))
    const { rows: taken } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [lock],
    )
    if (!taken[0]?.taken) continue
    // The import may have committed since the list was read.
    const { rowCount } = await client.query('select from organization_import where organization_id = $1', [
      id,
    ])
    if (rowCount === 1) await undoImport(client, files, Number(id) as OrganizationId)
    await client.query('select pg_advisory_unlock($1)', [lock])
  }
}
