import { Readable } from 'node:stream'
import type pg from 'pg'
import { type ArchiveEntry, readArchive } from '../../platform/archive/archive-reader.ts'
import {
  type BackupTable,
  filePrefix,
  type Manifest,
  parseTablePart,
} from '../../platform/archive/manifest.ts'
import { lockKey } from '../../platform/database/locks.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { copyRowsIn, decompressPart } from './copy-rows.ts'
import { compareRows, emptyTables, putBack, releaseJobs, setSequences } from './load-database.ts'
import { refuseUsedDatabase } from './refuse-unsuitable.ts'

export interface LoadOptions {
  files: FileStore
  /** Whether background jobs wait for `oxbow jobs resume`. */
  holdsJobs: boolean
  /**
   * Begins a new epoch of the event log in this transaction, because the database lacks all commits after
   * `since`.
   */
  beginEpoch: (client: pg.Client, since: Date) => Promise<void>
  /** Called before the commit, when everything else has succeeded. */
  beforeCommit: () => void
  onProgress: (step: string, read: number, total: number) => void
}

/**
 * Loads a verified backup into a migrated, empty database, in one transaction: if the restore fails or is
 * killed, the database stays empty. Files are stored before the commit; the caller has already compared the
 * files that exist. The restore holds the migration lock, so that a starting node waits for it.
 */
export async function loadBackup(
  client: pg.Client,
  path: string,
  manifest: Manifest,
  { files, holdsJobs, beginEpoch, beforeCommit, onProgress }: LoadOptions,
): Promise<void> {
  await lockMigrations(client)
  await refuseUsedDatabase(client)
  await client.query('begin')
  try {
    const removed = await emptyTables(client, manifest.tables)
    const tables = new Map(manifest.tables.map((table) => [table.name, table]))
    let step = 'rows'
    await readArchive(path, {
      visit: (entry) => {
        if (entry.name.startsWith(filePrefix)) step = 'files'
        return loadEntry(client, files, tables, entry)
      },
      onProgress: (read, total) => onProgress(step, read, total),
    })
    await putBack(client, removed, (text) => onProgress(text, 1, 1))
    await setSequences(client, manifest)
    onProgress('comparing rows', 1, 1)
    await compareRows(client, manifest)
    await releaseJobs(client)
    await client.query('update server set jobs_held_since = case when $1 then now() end', [holdsJobs])
    await beginEpoch(client, new Date(manifest.created_at))
    beforeCommit()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw explainRefusedRows(error)
  }
}

/** Error classes of PostgreSQL for values, constraints and names. */
const refusedRows = /^(22|23|42)\w{3}$/

/** Returns an `OperatorError` if PostgreSQL does not accept the rows or names of the backup, and otherwise the error. */
function explainRefusedRows(error: unknown): unknown {
  const { code = '', table, message } = error as Partial<pg.DatabaseError>
  if (!refusedRows.test(code)) return error
  const place = table ? ` in the table ${table}` : ''
  return new OperatorError(
    `Nothing was restored: PostgreSQL does not accept the rows of the backup${place}: ${message}`,
    { cause: error },
  )
}

async function lockMigrations(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    'select pg_try_advisory_lock($1) as "isLocked"',
    [lockKey('migrations')],
  )
  if (!rows[0]?.isLocked)
    throw new OperatorError('A node or another restore is preparing this database. Stop it and try again.')
}

async function loadEntry(
  client: pg.Client,
  files: FileStore,
  tables: ReadonlyMap<string, BackupTable>,
  entry: ArchiveEntry,
): Promise<void> {
  const part = parseTablePart(entry.name)
  if (part) {
    const table = tables.get(part.table)
    if (!table) throw new OperatorError(`The manifest does not list the table ${part.table}.`)
    await copyRowsIn(client, table, decompressPart(entry.content))
  } else if (entry.name.startsWith(filePrefix)) {
    const key = entry.name.slice(filePrefix.length)
    if (!(await files.stat(key))) await files.put(key, Readable.from(entry.content, { objectMode: false }))
  }
}
