import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { oxbowVersion } from '@oxbow/assets'
import type pg from 'pg'
import { ArchiveWriter } from '../../platform/archive/archive-writer.ts'
import {
  listTablesToCopy,
  quoteName,
  readSequences,
  sumRows,
  type TableToCopy,
} from '../../platform/archive/database-tables.ts'
import {
  type BackupSecret,
  type BackupTable,
  backupFormat,
  fileListPrefix,
  filePrefix,
  type Manifest,
  sealedSecretName,
  tablePartName,
} from '../../platform/archive/manifest.ts'
import type { FileStore, ListedFile } from '../../platform/files/file-store.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { copyRowsOut } from './copy-rows.ts'

export interface BackupProgress {
  /** The table that is being read; undefined while files are copied. */
  table?: string | undefined
  tables: number
  doneTables: number
  rows: number
  files: number
  /** Size of the backup so far. */
  bytes: number
}

export interface BackupOptions {
  files: FileStore
  /** `copied`: the backup contains the files. `listed`: only their names and sizes. */
  fileKind: Manifest['files']['kind']
  /** Returns the encrypted secret, after comparing the secret with the fingerprint in the database. */
  sealSecret?: (secret: BackupSecret) => Promise<Buffer>
  onProgress?: (progress: BackupProgress) => void
}

/**
 * Writes a backup of the database and the files while nodes run. The database is read in one snapshot, and
 * the files after it. A file is stored before the row that refers to it is committed, so the backup has all
 * files of the snapshot except those that were removed in the meantime. Returns the manifest. The caller ends
 * the output.
 */
export async function backUp(
  client: pg.Client,
  output: Writable,
  { files, fileKind, sealSecret, onProgress = () => {} }: BackupOptions,
): Promise<Manifest> {
  const archive = new ArchiveWriter(output)
  const tables = await beginSnapshot(client)
  const progress: BackupProgress = { tables: tables.length, doneTables: 0, rows: 0, files: 0, bytes: 0 }
  const show = (changes: Partial<BackupProgress>) =>
    onProgress(Object.assign(progress, changes, { bytes: archive.bytes }))

  const state = await readState(client)
  if (sealSecret) {
    await archive.add(sealedSecretName, await sealSecret(state.secret))
    state.secret.is_included = true
  }
  const copied: BackupTable[] = []
  for (const table of tables) {
    show({ table: table.name, doneTables: copied.length })
    const done = await copyTable(client, archive, table, () => show({}))
    copied.push(done)
    show({ rows: progress.rows + done.rows })
  }
  const sequences = await readSequences(client)
  await client.query('commit')

  show({ table: undefined })
  const addFiles = fileKind === 'copied' ? copyFiles : listFiles
  const counted = await addFiles(archive, files, () => show({ files: progress.files + 1 }))
  const manifest = { ...state, tables: copied, sequences, files: { kind: fileKind, ...counted } }
  const contents = await archive.finish(manifest)
  show({})
  return { ...manifest, contents }
}

/** A table may be created between listing and locking the tables; then both steps are repeated. */
const maxAttempts = 5

/**
 * Locks all tables against schema changes, and then begins the snapshot: PostgreSQL takes it with the first
 * statement after the locks.
 */
async function beginSnapshot(client: pg.Client): Promise<TableToCopy[]> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const tables = await listTablesToCopy(client)
    if (!tables.some(({ name }) => name === 'organization'))
      throw new OperatorError(
        'The database of DATABASE_URL has no tables of Oxbow, so there is nothing to back up.',
      )
    await client.query('begin isolation level repeatable read read only')
    await client.query(
      `lock table ${tables.map(({ name }) => quoteName(name)).join(', ')} in access share mode`,
    )
    const locked = await listTablesToCopy(client)
    if (JSON.stringify(locked) === JSON.stringify(tables)) return tables
    await client.query('rollback')
  }
  throw new OperatorError(
    'The tables change while they are backed up. Try again when the migration has ended.',
  )
}

type DatabaseState = Omit<Manifest, 'tables' | 'sequences' | 'files' | 'contents'>

async function readState(client: pg.Client): Promise<DatabaseState> {
  const read = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows
  const [about] = await read<Pick<Manifest, 'created_at' | 'postgres' | 'encoding' | 'collation'>>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
       split_part(current_setting('server_version'), ' ', 1) as postgres, current_setting('server_encoding') as encoding,
       (select datcollate from pg_database where datname = current_database()) as collation`,
  )
  const [secret] = await read<Omit<BackupSecret, 'is_included'>>(
    `select encode(secret_fingerprint, 'hex') as fingerprint, encode(old_secret_fingerprint, 'hex') as old_fingerprint,
       to_char(secret_rotated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as rotated_at from server`,
  )
  if (!about || !secret)
    throw new OperatorError('No node has used this database yet, so there is nothing to back up.')
  const [jobs] = await read<{ newest: number }>('select max(id) as newest from graphile_worker.migrations')
  const [organizations] = await read<{ count: number }>('select count(*) as count from organization')
  const functions = await read<{ version: string }>('select version from schema_function order by 1')
  return {
    format: backupFormat,
    version: oxbowVersion,
    ...about,
    migrations: await read('select name, checksum from schema_migration order by name'),
    job_migration: Number(jobs?.newest),
    functions: functions.map((row) => row.version),
    organizations: Number(organizations?.count),
    secret: { ...secret, is_included: false },
  }
}

async function copyTable(
  client: pg.Client,
  archive: ArchiveWriter,
  table: TableToCopy,
  onPart: () => void,
): Promise<BackupTable> {
  let [parts, bytes] = [0, 0]
  for await (const part of copyRowsOut(client, table)) {
    bytes += part.bytes
    await archive.add(tablePartName(table.name, ++parts), part.compressed)
    onPart()
  }
  return { name: table.name, columns: table.columns, parts, bytes, ...(await sumRows(client, table)) }
}

interface CountedFiles {
  count: number
  bytes: number
}

async function copyFiles(
  archive: ArchiveWriter,
  files: FileStore,
  onFile: () => void,
): Promise<CountedFiles> {
  const counted = { count: 0, bytes: 0 }
  for await (const { key } of files.list('')) {
    const file = await files.get(key)
    // The file was removed after it was listed.
    if (!file) continue
    await archive.addStream(`${filePrefix}${key}`, file.size, file.content)
    counted.count++
    counted.bytes += file.size
    onFile()
  }
  return counted
}

const compress = promisify(zstdCompress)
/** Maximum number of file names in one list. */
const maxListed = 10_000

async function listFiles(
  archive: ArchiveWriter,
  files: FileStore,
  onFile: () => void,
): Promise<CountedFiles> {
  const counted = { count: 0, bytes: 0 }
  let lists = 0
  let listed: Pick<ListedFile, 'key' | 'size'>[] = []
  const write = async () => {
    const name = `${fileListPrefix}${String(++lists).padStart(6, '0')}.jsonl.zst`
    const text = listed.map((file) => `${JSON.stringify(file)}\n`).join('')
    await archive.add(name, await compress(Buffer.from(text)))
    listed = []
  }
  for await (const { key, size } of files.list('')) {
    listed.push({ key, size })
    counted.count++
    counted.bytes += size
    onFile()
    if (listed.length >= maxListed) await write()
  }
  if (listed.length > 0) await write()
  return counted
}
