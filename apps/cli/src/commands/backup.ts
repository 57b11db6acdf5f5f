import { loadConfig } from '@oxbow/server'
import type { BackupManifest, BackupProgress } from '@oxbow/server/backup'
import { Command, Option } from 'commander'
import { describeSize } from '../describe-size.ts'
import { choosePassphrase } from '../passphrase.ts'
import { makeProgressLine } from '../progress-line.ts'
import { removeOnSignals } from '../remove-on-signals.ts'
import { print, printJson, warn } from '../report.ts'

interface BackupCommandOptions {
  withSecret?: boolean
  passphraseFile?: string
  files?: 'copy' | 'list'
  json?: boolean
}

export const passphraseFileOption = (): Option =>
  new Option(
    '--passphrase-file <file>',
    'read the passphrase of the secret from the first line of a file; without it, from OXBOW_BACKUP_PASSPHRASE, or typed at a terminal',
  )

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Write a backup of the database and the uploaded files while nodes run. It contains private messages and password hashes: keep it where nobody else can read it.',
    )
    .argument(
      '<target>',
      'a new file, a directory in which a file named by the time is made, or - for standard output',
    )
    .option('--with-secret', 'include the secret of the server, sealed with a passphrase')
    .addOption(passphraseFileOption())
    .addOption(
      new Option(
        '--files <how>',
        'copy: the backup contains the uploaded files; list: only their names. Without it, copy for a directory and list for an object store',
      ).choices(['copy', 'list']),
    )
    .option('--json', 'print a JSON object')
    .action(async (target: string, options: BackupCommandOptions) => {
      // Imported on demand: a node never uses this module, and would keep it in memory.
      const { backUpServer } = await import('@oxbow/server/backup')
      const { config } = loadConfig()
      const progress = makeProgressLine()
      const { manifest, path, bytes } = await backUpServer(config, target, {
        askPassphrase: options.withSecret
          ? () => choosePassphrase({ file: options.passphraseFile, isNew: true })
          : undefined,
        fileKind: options.files && (options.files === 'copy' ? 'copied' : 'listed'),
        onProgress: (state) => progress(describeProgress(state)),
        warn,
        onOpened: removeOnSignals,
      })
      if (target === '-') return
      if (options.json) return printJson({ path, bytes, ...summarize(manifest) })
      print(`${path}: ${describeSize(bytes)}, ${describeContents(manifest)}`)
      if (!manifest.secret.is_included)
        print(
          'The secret of the server is not in it. Keep a copy of it elsewhere: without it no API key in the backup can be read.',
        )
    })
    .addCommand(verifyCommand())
}

function describeProgress({ table, tables, doneTables, rows, files, bytes }: BackupProgress): string {
  const step = table === undefined ? `${files} files` : `table ${doneTables + 1} of ${tables} (${table})`
  return `${step}; ${rows} rows, ${describeSize(bytes)} written`
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Read a whole backup and compare its checksums and counts. Needs no database.')
    .argument('<file>', 'the backup')
    .option('--json', 'print a JSON object')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { verifyBackup } = await import('@oxbow/server/backup')
      const progress = makeProgressLine()
      const { manifest } = await verifyBackup(file, {
        onProgress: (read, total) => progress(`${describeSize(read)} of ${describeSize(total)}`),
      })
      if (json) return printJson(summarize(manifest))
      print(`The backup is intact: ${describeContents(manifest)}`)
    })
}

function summarize(manifest: BackupManifest) {
  const { created_at, version, postgres, organizations, tables, files, secret } = manifest
  return {
    created_at,
    version,
    postgres,
    organizations,
    tables: tables.length,
    rows: countRows(manifest),
    files,
    secret_is_included: secret.is_included,
  }
}

const countRows = ({ tables }: BackupManifest): number => tables.reduce((sum, { rows }) => sum + rows, 0)

/** Describes a backup in one sentence. */
export function describeContents(manifest: BackupManifest): string {
  const { created_at, version, postgres, organizations, tables, files, secret } = manifest
  const stored = files.kind === 'copied' ? 'files' : 'names of files in an object store'
  return `${organizations} organizations, ${tables.length} tables with ${countRows(manifest)} rows, ${files.count} ${stored} (${describeSize(files.bytes)}) and ${secret.is_included ? 'the sealed secret' : 'no secret'}, as of ${created_at}, from Oxbow ${version} on PostgreSQL ${postgres}.`
}
