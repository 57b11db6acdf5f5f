import { z } from 'zod'

/** Increased with each change that older releases cannot read. */
export const backupFormat = 1

export const manifestName = 'manifest.json'
/** The last file of a backup; a backup without it was interrupted. */
export const manifestChecksumName = `${manifestName}.sha256`
export const sealedSecretName = 'secret.sealed.json'

const name = z.string().regex(/^[a-z_]\w*(\.[a-z_]\w*)?$/i)
const hex = z.string().regex(/^[0-9a-f]+$/)
const count = z.number().int().nonnegative()

const tableSchema = z.object({
  /** Includes the schema only if it is not the one of Oxbow's tables. */
  name,
  /** Columns that the files of the table contain; generated columns are left out. */
  columns: z.array(name),
  rows: count,
  /** Number of files in the backup with rows of this table. */
  parts: count,
  /** Size of the rows in bytes, before compression. */
  bytes: count,
  /** Sum of the row hashes, over all columns; does not depend on the order of the rows. */
  sum: z.string().regex(/^\d+$/),
})
export type BackupTable = z.output<typeof tableSchema>

const sequenceSchema = z.object({ name, last_value: z.string().regex(/^-?\d+$/), is_called: z.boolean() })
export type BackupSequence = z.output<typeof sequenceSchema>

const secretSchema = z.object({
  fingerprint: hex,
  old_fingerprint: hex.nullable(),
  /** When the last value that was sealed with the old secret was sealed again with the new one. */
  rotated_at: z.iso.datetime().nullable(),
  /** Whether the secret itself is in the backup, sealed with a passphrase. */
  is_included: z.boolean(),
})
export type BackupSecret = z.output<typeof secretSchema>

export const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** The release that made the backup. */
  version: z.string(),
  /** Time at which the backup began; the snapshot of the database is not older. */
  created_at: z.iso.datetime(),
  postgres: z.string(),
  encoding: z.string(),
  collation: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: hex })).min(1),
  /** The newest migration of the background job tables. */
  job_migration: count,
  /** Versions of the SQL functions. Their code is not in the backup: a release creates its own. */
  functions: z.array(z.string()),
  organizations: count,
  secret: secretSchema,
  tables: z.array(tableSchema).min(1),
  sequences: z.array(sequenceSchema),
  files: z.object({
    /**
     * `copied`: the backup has the files. `listed`: only their names and sizes, because they are in an object
     * store.
     */
    kind: z.enum(['copied', 'listed']),
    count,
    bytes: count,
  }),
  /** Number of files before the manifest, and a digest of their checksums. */
  contents: z.object({ count, sha256: hex }),
})
export type Manifest = z.output<typeof manifestSchema>

/** Returns the name of the file with one part of a table's rows. */
export const tablePartName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.zst`

/** Returns the table and part number of a file with rows; undefined for other names. */
export function parseTablePart(path: string): { table: string; part: number } | undefined {
  const [, table, part] = /^tables\/([\w.]+)\/(\d+)\.copy\.zst$/.exec(path) ?? []
  return table && part ? { table, part: Number(part) } : undefined
}

export const filePrefix = 'files/'
export const fileListPrefix = 'file-list/'
export const checksumPrefix = 'checksums/'
