import { oxbowVersion } from '@oxbow/assets'
import type { OrganizationId } from '@oxbow/contract'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { type ExportManifest, exportFormat, recordsPartName } from '../format/manifest.ts'
import { type RecordType, type Scope, selectRecords } from '../format/record-type.ts'
import { recordTypes } from '../format/records.ts'
import type { ExportWriter } from './export-writer.ts'
import { listFilesOf } from './files-of-record.ts'

export interface ExportProgress {
  /** The type of the records that are being written. */
  type: string
  records: number
  files: number
  /** Size of records and files so far. */
  bytes: number
}

export interface ExportOptions {
  organization_id: OrganizationId
  /** URL of the organization, if it is known. */
  url: string | null
  scope: Scope
  files: FileStore
  onProgress?: ((progress: ExportProgress) => void) | undefined
}

/** A file of records ends with the first record after this many characters. */
export const partLength = 4 * 1_048_576

/**
 * Writes an export of one organization. All records are read in one snapshot, so nodes may run, and nothing
 * is changed. Files that were removed after the snapshot are counted as missing. Memory does not grow with
 * the number of messages. If it throws, the transaction stays open, perhaps in the middle of a statement whose rows
 * nobody reads: the caller must then end the session, because any other statement would wait for ever.
 */
export async function exportOrganization(
  client: pg.ClientBase,
  writer: ExportWriter,
  options: ExportOptions,
): Promise<ExportManifest> {
  await client.query('begin isolation level repeatable read read only')
  const manifest = await new Exporter(client, writer, options).run()
  await client.query('commit')
  return manifest
}

const newline = 0x0a

/**
 * Runs a query with one column of JSON through COPY, and yields the lines. Memory does not grow with the
 * number of rows. The caller may await other work between lines; PostgreSQL waits meanwhile. A caller that stops
 * reading before the last line must end the session.
 */
async function* readLines(client: pg.ClientBase, query: string): AsyncGenerator<string> {
  const rows = client.query(copyTo(`copy (${query}) to stdout`))
  // The loop throws errors of the statement. If the caller stops reading, the session ends with another one.
  rows.on('error', () => {})
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      yield unescapeLine(bytes.toString('utf8', start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
}

/** Decodes the text format of COPY. JSON has no control characters, so COPY escapes only backslashes. */
const unescapeLine = (line: string): string => line.replaceAll('\\\\', '\\')

class Exporter {
  readonly #client: pg.ClientBase
  readonly #writer: ExportWriter
  readonly #options: ExportOptions
  readonly #progress: ExportProgress = { type: '', records: 0, files: 0, bytes: 0 }
  readonly #files = { count: 0, bytes: 0, missing: 0 }
  /** Uploads whose files are missing. Their records and claims are left out of the export. */
  readonly #lostUploads = new Set<number>()

  constructor(client: pg.ClientBase, writer: ExportWriter, options: ExportOptions) {
    this.#client = client
    this.#writer = writer
    this.#options = options
  }

  async run(): Promise<ExportManifest> {
    const { scope } = this.#options
    const organization = await this.#readOrganization()
    const records: Record<string, number> = {}
    for (const type of recordTypes) {
      const query = selectRecords(type, organization.id, scope)
      if (query !== undefined) records[type.name] = await this.#writeType(type, query)
    }
    const { created_at, ...about } = organization
    const manifest = {
      format: exportFormat,
      version: oxbowVersion,
      created_at,
      scope,
      organization: { ...about, url: this.#options.url },
      records,
      files: this.#files,
    } as const
    return { ...manifest, contents: await this.#writer.finish(manifest) }
  }

  async #readOrganization() {
    type Read = { id: number; name: string; subdomain: string; created_at: string }
    const { rows } = await this.#client.query<Read>(
      `select id::float8 as id, name, subdomain, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
       from organization where id = $1`,
      [this.#options.organization_id],
    )
    if (!rows[0]) throw new Error('the organization that is exported does not exist')
    return rows[0]
  }

  async #writeType(type: RecordType, query: string): Promise<number> {
    let [count, parts, length]: [number, number, number] = [0, 0, 0]
    let lines: string[] = []
    const writePart = async () => {
      const content = Buffer.from(lines.join(''))
      await this.#writer.add(recordsPartName(type.name, ++parts), content)
      ;[lines, length] = [[], 0]
      this.#advance({ type: type.name, bytes: content.length })
    }
    this.#advance({ type: type.name })
    for await (const line of readLines(this.#client, query)) {
      if (!(await this.#writeFiles(type, line))) continue
      lines.push(`${line}\n`)
      length += line.length + 1
      count++
      this.#progress.records++
      if (length >= partLength) await writePart()
    }
    if (lines.length > 0) await writePart()
    return count
  }

  /** Writes the files of a record. Returns whether the record itself should be written. */
  async #writeFiles(type: RecordType, line: string): Promise<boolean> {
    if (type.name === 'upload_claim') return !this.#lostUploads.has(JSON.parse(line).upload_id)
    for (const { name, key } of listFilesOf(type.name, this.#options.organization_id, line)) {
      const file = await this.#options.files.get(key)
      if (file) {
        await this.#writer.addStream(name, file.size, file.content)
        this.#files.count++
        this.#files.bytes += file.size
        this.#advance({ files: 1, bytes: file.size })
        continue
      }
      this.#files.missing++
      if (type.name === 'upload') {
        this.#lostUploads.add(JSON.parse(line).id)
        return false
      }
    }
    return true
  }

  #advance({ type, files = 0, bytes = 0 }: { type?: string; files?: number; bytes?: number }): void {
    const progress = this.#progress
    if (type !== undefined) progress.type = type
    progress.files += files
    progress.bytes += bytes
    this.#options.onProgress?.(progress)
  }
}
