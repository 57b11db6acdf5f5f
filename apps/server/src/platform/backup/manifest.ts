import { z } from 'zod'

/** Raised with each change that older releases cannot read. */
export const backupFormat = 1

export const manifestName = 'manifest.json'
/** The last file of a backup; without it the backup was interrupted. */
export const manifestChecksumName = `${manifestName}.sha256`
export const sealedSecretName = 'secret.sealed.json'

const name = z.string().regex(/^[a-z_]\w*(\.[a-z_]\w*)?$/i)
const hex = z.string().regex(/^[0-9a-f]+$/)
const count = z.number().int().nonnegative()

const tableSchema = z.object({
  /** With the schema only if it is not the one that Oxbow's tables are in. */
  name,
  /** Columns in the files of the table, without generated ones. */
  columns: z.array(name),
  rows: count,
  /** Files of the table in the backup. */
  parts: count,
  /** Bytes of the rows before they were compressed. */
  bytes: count,
  /** Sum of hashes of all rows with all columns, which does not depend on their order. */
  sum: z.string().regex(/^\d+$/),
})
export type BackupTable = z.output<typeof tableSchema>

const sequenceSchema = z.object({ name, last_value: z.string().regex(/^-?\d+$/), is_called: z.boolean() })
export type BackupSequence = z.output<typeof sequenceSchema>

const secretSchema = z.object({
  fingerprint: hex,
  old_fingerprint: hex.nullable(),
  /** When the last seal of the old secret was rewritten. */
  rotated_at: z.iso.datetime().nullable(),
  /** Whether the secret itself is in the backup, sealed with a passphrase. */
  is_included: z.boolean(),
})
export type BackupSecret = z.output<typeof secretSchema>

export const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** The release that made the backup. */
  version: z.string(),
  /** Not later than the state of the database in the backup. */
  created_at: z.iso.datetime(),
  postgres: z.string(),
  encoding: z.string(),
  collation: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: hex })).min(1),
  /** The newest migration of the tables of jobs. */
  job_migration: count,
  /** Versions of the SQL functions, which are created again from the release. */
  functions: z.array(z.string()),
  organizations: count,
  secret: secretSchema,
  tables: z.array(tableSchema).min(1),
  sequences: z.array(sequenceSchema),
  files: z.object({
    /** `copied`: the backup has the files. `listed`: only their names, because an object store has them. */
    kind: z.enum(['copied', 'listed']),
    count,
    bytes: count,
  }),
  /** Files of the backup before the manifest, and the digest of their checksums. */
  contents: z.object({ count, sha256: hex }),
})
export type Manifest = z.output<typeof manifestSchema>

/** Name of one file of a table's rows. */
export const tablePartName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.zst`

/** Splits the name of a file of a table's rows; undefined for other names. */
export function parseTablePart(path: string): { table: string; part: number } | undefined {
  const [, table, part] = /^tables\/([\w.]+)\/(\d+)\.copy\.zst$/.exec(path) ?? []
  return table && part ? { table, part: Number(part) } : undefined
}

export const filePrefix = 'files/'
export const fileListPrefix = 'file-list/'
export const checksumPrefix = 'checksums/'
