import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { startEpochOfBackup } from '../events/sequencer/lineage.ts'
import type { ArchiveEntry } from '../platform/archive/archive-reader.ts'
import type { BackupSecret, Manifest } from '../platform/archive/manifest.ts'
import { openSession } from '../platform/archive/open-session.ts'
import { choosePath, findServedFolder, openBackupTarget } from '../platform/archive/target-file.ts'
import type { Config } from '../platform/config/settings.ts'
import { listMigrations } from '../platform/database/list-migrations.ts'
import { ensureDatabase, migrateTablesOnly } from '../platform/database/migrate.ts'
import { prepareDatabase } from '../platform/database/prepare.ts'
import { refuseUnsupportedDatabase } from '../platform/database/refuse-unsupported.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import { getFilesDirectory, openFileStore } from '../platform/files/open-file-store.ts'
import { migrateJobs } from '../platform/jobs/jobs.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { findSecretTexts } from '../platform/secrets/secrets.ts'
import { type BackupProgress, backUp } from './backup/back-up.ts'
import { hasSecretOf, isSecretOf, writeSecretFiles } from './backup/backup-secret.ts'
import { chooseMigrations, refuseUnsuitableDatabase } from './backup/refuse-unsuitable.ts'
import { loadBackup } from './backup/restore-backup.ts'
import { openSealedSecret, type SecretTexts, sealSecret } from './backup/sealed-secret.ts'
import { verifyBackup } from './backup/verify-backup.ts'

export type { Manifest as BackupManifest } from '../platform/archive/manifest.ts'
export type { BackupProgress } from './backup/back-up.ts'
export { verifyBackup } from './backup/verify-backup.ts'

export interface BackupCommandOptions {
  /**
   * Asks for the passphrase that encrypts the server's secret. Without this function the backup
   * does not contain the secret.
   */
  askPassphrase?: (() => Promise<string>) | undefined
  /**
   * How the backup contains files. The default is `copied` if they are in a directory, and `listed`
   * if they are in an object store.
   */
  fileKind?: Manifest['files']['kind'] | undefined
  onProgress?: ((progress: BackupProgress) => void) | undefined
  warn: (text: string) => void
  /**
   * Called once with a function that removes the unfinished backup. The caller runs that function
   * if a signal ends the process.
   */
  onOpened?: (remove: () => void) => void
}

export interface BackupResult {
  manifest: Manifest
  /** Undefined if the backup was written to standard output. */
  path?: string | undefined
  bytes: number
}

/**
 * Writes a backup of the database and the files to a file, a directory or standard output (`-`).
 * Nodes may keep running.
 */
export async function backUpServer(
  config: Config,
  target: string,
  { askPassphrase, fileKind, onProgress, warn, onOpened }: BackupCommandOptions,
): Promise<BackupResult> {
  const passphrase = await askPassphrase?.()
  const kind = fileKind ?? (config.s3_bucket ? 'listed' : 'copied')
  const directory = getFilesDirectory(config)
  if (!config.s3_bucket && !existsSync(directory))
    warn(
      `${directory} does not exist, so the backup has no uploaded files. Does this command have the settings of the nodes?`,
    )
  const chosen = target === '-' ? undefined : choosePath(target, new Date())
  const warning =
    chosen && findServedFolder(chosen.path, [directory, ...(config.web_dir ? [config.web_dir] : [])])
  if (warning) warn(warning)
  await using session = await openSession(config.database_url, 'oxbow backup')
  const opened = await openBackupTarget(chosen)
  onOpened?.(opened.remove)
  try {
    let bytes = 0
    const manifest = await backUp(session.client, opened.output, {
      files: openFileStore(config),
      fileKind: kind,
      ...(passphrase !== undefined && { sealSecret: (secret) => sealOwnSecret(config, secret, passphrase) }),
      onProgress(progress) {
        bytes = progress.bytes
        onProgress?.(progress)
      },
    })
    const path = await opened.commit()
    await noteBackup(session.client, warn)
    return { manifest, path, bytes }
  } catch (error) {
    opened.remove()
    throw error
  }
}

/**
 * Saves the time of the backup for monitoring. If the database cannot be written to, the backup is
 * still valid.
 */
async function noteBackup(client: Client, warn: (text: string) => void): Promise<void> {
  await client.query('update server set backed_up_at = now()').catch((error: Error) => {
    warn(`The backup is complete, but its time was not noted for monitoring: ${error.message}`)
  })
}

async function sealOwnSecret(config: Config, secret: BackupSecret, passphrase: string): Promise<Buffer> {
  const texts = findSecretTexts(config)
  if (!texts || !isSecretOf(secret, texts))
    throw new OperatorError(
      'This command does not have the secret of the database, so the backup cannot contain it. Give it OXBOW_SECRET or OXBOW_DATA_DIR as the nodes have it.',
    )
  return sealSecret(texts, passphrase)
}

export interface RestoreCommandOptions {
  /** Asks for the passphrase of the backup's secret, if it is needed. */
  askPassphrase: () => Promise<string>
  /** Whether jobs run as soon as a node starts. */
  resumesJobs?: boolean | undefined
  onProgress?: ((step: string, read: number, total: number) => void) | undefined
  warn: (text: string) => void
}

/**
 * Restores a backup into an empty database, which is created if it is missing, and into a directory
 * or object store for its files. Checks as much as possible before it writes anything. The restored
 * server has a new epoch of the event log. Returns the manifest.
 */
export async function restoreServer(
  config: Config,
  path: string,
  { askPassphrase, resumesJobs = false, onProgress = () => {}, warn }: RestoreCommandOptions,
): Promise<Manifest> {
  const files = openFileStore(config)
  const { manifest, sealedSecret } = await verifyBackup(path, {
    onProgress: (read, total) => onProgress('verifying', read, total),
    inspectFile: (key, entry) => refuseOtherFile(files, key, entry),
  })
  const migrations = chooseMigrations(manifest, listMigrations())
  const found = findSecretTexts(config)
  const unsealed = hasSecretOf(manifest.secret, config, found)
    ? undefined
    : await unsealSecret(manifest.secret, sealedSecret, await askPassphrase())

  await ensureDatabase(config.database_url)
  await refuseUnsupportedDatabase(config.database_url)
  {
    await using session = await openSession(config.database_url, 'oxbow restore')
    await refuseUnsuitableDatabase(session.client, manifest, migrations)
    await warnAboutCollation(session.client, manifest, warn)
  }
  onProgress('tables', 1, 1)
  await migrateTablesOnly(config.database_url, migrations)
  await migrateJobs(config.database_url)
  {
    await using session = await openSession(config.database_url, 'oxbow restore')
    await refuseOtherJobTables(session.client, manifest)
    await loadBackup(session.client, path, manifest, {
      files,
      holdsJobs: !resumesJobs,
      beginEpoch: startEpochOfBackup,
      beforeCommit: () => unsealed && writeSecretFiles(config, unsealed),
      onProgress,
    })
    onProgress('statistics', 1, 1)
    await session.client.query('analyze')
  }
  await prepareDatabase(config)
  return manifest
}

async function unsealSecret(
  backup: BackupSecret,
  sealed: Buffer | undefined,
  passphrase: string,
): Promise<SecretTexts> {
  const texts = await openSealedSecret(sealed ?? Buffer.alloc(0), passphrase)
  if (!isSecretOf(backup, texts)) throw new OperatorError('The sealed secret is not the one of this backup.')
  return texts
}

/** Throws if the store has a file with this key and different content. */
async function refuseOtherFile(
  files: FileStore,
  key: string,
  { size, content }: ArchiveEntry,
): Promise<void> {
  const existing = await files.get(key)
  if (!existing) return
  const refusal = new OperatorError(
    `The store for files already has another file ${key} than the backup. Restore into an empty directory or bucket, or move the files there away. Nothing was changed.`,
  )
  if (existing.size !== size) {
    existing.content.destroy()
    throw refusal
  }
  const digests = [await digestOf(existing.content), await digestOf(content)]
  if (digests[0] !== digests[1]) throw refusal
}

async function digestOf(content: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of content) digest.update(chunk)
  return digest.digest('hex')
}

type Client = Awaited<ReturnType<typeof openSession>>['client']

async function warnAboutCollation(client: Client, { collation }: Manifest, warn: (text: string) => void) {
  const { rows } = await client.query<{ collation: string }>(
    'select datcollate as collation from pg_database where datname = current_database()',
  )
  const found = rows[0]?.collation
  if (found !== collation)
    warn(
      `The database sorts texts by ${found}, the original one by ${collation}. Lists of names may have another order.`,
    )
}

async function refuseOtherJobTables(client: Client, { job_migration, version }: Manifest): Promise<void> {
  const { rows } = await client.query<{ newest: number }>(
    'select max(id) as newest from graphile_worker.migrations',
  )
  if (Number(rows[0]?.newest) === job_migration) return
  throw new OperatorError(
    `The tables of jobs in the backup have another form than those of this release. Restore it with Oxbow ${version} into a new database, then upgrade.`,
  )
}
