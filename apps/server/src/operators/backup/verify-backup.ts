import { type ArchiveEntry, readArchive } from '../../platform/archive/archive-reader.ts'
import {
  filePrefix,
  type Manifest,
  parseTablePart,
  sealedSecretName,
} from '../../platform/archive/manifest.ts'
import { isKey } from '../../platform/files/file-store.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { countRows, decompressPart } from './copy-rows.ts'

export interface VerifiedBackup {
  manifest: Manifest
  /** The secret, encrypted with a passphrase, if the backup has it. */
  sealedSecret?: Buffer | undefined
}

export interface VerifyOptions {
  onProgress?: ((read: number, total: number) => void) | undefined
  /** Called for every uploaded file of the backup, before its checksum is compared. */
  inspectFile?: (key: string, file: ArchiveEntry) => Promise<void>
}

/** Maximum size of the sealed secret, which has less than a kilobyte. */
const maxSealedBytes = 65_536

interface TableCount {
  parts: number
  rows: number
  bytes: number
}

/**
 * Reads a backup to its end and compares all checksums and counts, without a database. Throws an
 * `OperatorError` that names what is damaged or missing.
 */
export async function verifyBackup(
  path: string,
  { onProgress, inspectFile }: VerifyOptions = {},
): Promise<VerifiedBackup> {
  const tables = new Map<string, TableCount>()
  const files = { count: 0, bytes: 0 }
  const [unreadable, misnamed]: [string[], string[]] = [[], []]
  let sealedSecret: Buffer | undefined

  const visit = async (entry: ArchiveEntry) => {
    const { name, size } = entry
    const part = parseTablePart(name)
    if (part) {
      const count = tables.get(part.table) ?? { parts: 0, rows: 0, bytes: 0 }
      tables.set(part.table, count)
      const counted = await countPart(entry).catch(() => undefined)
      // The wrong checksum of a damaged part is reported together with other checksums.
      if (!counted) return void unreadable.push(name)
      count.parts++
      count.rows += counted.rows
      count.bytes += counted.bytes
    } else if (name.startsWith(filePrefix)) {
      files.count++
      files.bytes += size
      const key = name.slice(filePrefix.length)
      if (!isKey(key)) misnamed.push(name)
      else await inspectFile?.(key, entry)
    } else if (name === sealedSecretName && size <= maxSealedBytes) sealedSecret = await collect(entry)
  }
  const manifest = await readArchive(path, { visit, ...(onProgress && { onProgress }) })
  const problems = [
    ...unreadable.map((name) => `${name} cannot be decompressed`),
    ...misnamed.map((name) => `${JSON.stringify(name)} is not the name of an uploaded file`),
    ...findUnlisted(manifest, tables).map((name) => `the manifest does not list the table ${name}`),
    ...findRepeated(manifest).map((name) => `the manifest lists the table ${name} twice`),
    ...manifest.tables.flatMap((table) => describeDifference(table, tables.get(table.name))),
  ]
  if (manifest.files.kind === 'copied' && manifest.files.count !== files.count)
    problems.push(`it has ${files.count} uploaded files in place of ${manifest.files.count}`)
  if (manifest.secret.is_included && !sealedSecret) problems.push('the sealed secret is missing')
  if (problems.length > 0)
    throw new OperatorError(
      `The backup ${path} is damaged:\n${problems.map((line) => `- ${line}`).join('\n')}`,
    )
  return { manifest, sealedSecret }
}

async function countPart({ content }: ArchiveEntry): Promise<{ rows: number; bytes: number }> {
  const counted = { rows: 0, bytes: 0 }
  for await (const rows of decompressPart(content)) {
    counted.rows += countRows(rows)
    counted.bytes += rows.length
  }
  return counted
}

function findUnlisted(manifest: Manifest, tables: ReadonlyMap<string, TableCount>): string[] {
  const listed = new Set(manifest.tables.map(({ name }) => name))
  return [...tables.keys()].filter((name) => !listed.has(name))
}

function findRepeated({ tables }: Manifest): string[] {
  const names = tables.map(({ name }) => name)
  return names.filter((name, index) => names.indexOf(name) < index)
}

function describeDifference(
  { name, ...expected }: Manifest['tables'][number],
  found: TableCount = { parts: 0, rows: 0, bytes: 0 },
): string[] {
  return (['parts', 'rows', 'bytes'] as const)
    .filter((unit) => found[unit] !== expected[unit])
    .map((unit) => `the table ${name} has ${found[unit]} ${unit} in place of ${expected[unit]}`)
}

/** Reads the whole content of an entry that is known to be small. */
async function collect({ content }: ArchiveEntry): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}
