import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oxbowVersion } from '@oxbow/assets'
import type { CopiedFile, ExportFields, FileToCopy, ImportSink } from '@oxbow/imports'
import type pg from 'pg'
import { detectContentType, headLength } from '../../../messages/uploads/content-type.ts'
import { cleanFileName, sanitizeFileName } from '../../../messages/uploads/names.ts'
import { drawAvatar } from '../../../people/users/avatar/avatar-files.ts'
import { makePicture, NotAnImage } from '../../../platform/images/make-picture.ts'
import { pictureHeadLength, readPictureHeader } from '../../../platform/images/picture-header.ts'
import { type ExportManifest, exportFormat, filesPrefix, recordsPartName } from '../format/manifest.ts'
import { recordTypes } from '../format/records.ts'
import { partLength } from './export-organization.ts'
import type { ExportWriter } from './export-writer.ts'

export interface ConvertedExportOptions {
  /** Connection to a database of this release, which knows the defaults of settings. */
  client: pg.ClientBase
  /** Folder for one file at a time, until its size is known. */
  folder: string
  name: string
  /** Time of the archive. */
  createdAt: Date
}

/** Pictures of people and emoji are small. Larger files are no pictures of these. */
const maxPictureBytes = 20 * 1_048_576
const emojiFormat = { width: 64, height: 64, fit: 'contain', animated: true } as const

const typesByName = new Map(recordTypes.map((type, index) => [type.name, { type, index }]))

/**
 * Writes an export of records that were converted from another system. Fields that the conversion does not
 * know get the defaults of the database, so that a new setting needs no change of the conversion.
 */
export class ConvertedExport implements ImportSink {
  readonly systemAccounts: readonly { id: number; email: string }[]
  readonly #writer: ExportWriter
  readonly #options: ConvertedExportOptions
  readonly #defaults: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly #records: Record<string, number> = {}
  readonly #files = { count: 0, bytes: 0, missing: 0 }
  #type = ''
  #lines: string[] = []
  #length = 0
  #parts = 0

  private constructor(
    writer: ExportWriter,
    options: ConvertedExportOptions,
    defaults: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
    systemAccounts: readonly { id: number; email: string }[],
  ) {
    this.#writer = writer
    this.#options = options
    this.#defaults = defaults
    this.systemAccounts = systemAccounts
  }

  static async open(writer: ExportWriter, options: ConvertedExportOptions): Promise<ConvertedExport> {
    const { client } = options
    const defaults = new Map<string, Record<string, unknown>>()
    for (const { name, table } of recordTypes) defaults.set(name, await readDefaults(client, table))
    const { rows } = await client.query<{ id: number; email: string }>(
      'select id::float8 as id, email from system_account order by id',
    )
    return new ConvertedExport(writer, options, defaults, rows)
  }

  async record(name: string, fields: ExportFields): Promise<void> {
    const known = typesByName.get(name)
    if (!known) throw new Error(`exports have no records of the type ${name}`)
    if (name !== this.#type) await this.#begin(name)
    const defaults = this.#defaults.get(name) ?? {}
    const complete = Object.keys(known.type.fields).map((field) => [
      field,
      fields[field] ?? fallback(field, fields, defaults),
    ])
    const line = `${JSON.stringify(Object.fromEntries(complete))}\n`
    this.#records[name] = (this.#records[name] ?? 0) + 1
    this.#lines.push(line)
    this.#length += line.length
    if (this.#length >= partLength) await this.#writePart()
  }

  async upload(id: number, { name, declaredType, content }: FileToCopy): Promise<CopiedFile | undefined> {
    const path = join(this.#options.folder, 'upload')
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const copied = await copyFile(path, content).catch(() => undefined)
    if (copied) {
      await this.#addFile(`uploads/${id}`, copied.size, createReadStream(path))
      const { width = null, height = null, isAnimated = null } = readPictureHeader(copied.head) ?? {}
      await rm(path, { force: true })
      const content_type = detectContentType(
        copied.head.subarray(0, headLength),
        cleanFileName(name),
        declaredType,
      )
      return {
        size: copied.size,
        sha256: copied.sha256,
        content_type,
        width,
        height,
        is_animated: isAnimated,
      }
    }
    await rm(path, { force: true })
    return undefined
  }

  nameInPath = sanitizeFileName

  async avatar(id: number, content: AsyncIterable<Buffer>): Promise<boolean> {
    const drawn = await unlessNoImage(async () => drawAvatar(await readPicture(content)))
    if (!drawn) return false
    for (const [size, bytes] of drawn) await this.#addPicture(`avatars/${id}-${size}.png`, bytes)
    return true
  }

  async emoji(id: number, content: AsyncIterable<Buffer>): Promise<string | undefined> {
    const drawn = await unlessNoImage(async () => makePicture(await readPicture(content), emojiFormat))
    if (!drawn) return undefined
    const file = `${id}.${drawn.type}`
    await this.#addPicture(`emoji/${file}`, drawn.bytes)
    return file
  }

  /** Writes the manifest, after the last record. */
  async finish(): Promise<ExportManifest> {
    await this.#writePart()
    const manifest = {
      format: exportFormat,
      version: oxbowVersion,
      created_at: this.#options.createdAt.toISOString(),
      scope: 'everything',
      // Links to the old system are not mapped, so it has no address.
      organization: { id: 1, name: this.#options.name, subdomain: '', url: null },
      records: this.#records,
      files: this.#files,
    } as const
    return { ...manifest, contents: await this.#writer.finish(manifest) }
  }

  async #begin(name: string): Promise<void> {
    await this.#writePart()
    if ((typesByName.get(name)?.index ?? 0) < (typesByName.get(this.#type)?.index ?? 0))
      throw new Error(`records of the type ${name} cannot come after those of the type ${this.#type}`)
    this.#type = name
    this.#parts = 0
  }

  async #writePart(): Promise<void> {
    if (this.#lines.length === 0) return
    const content = Buffer.from(this.#lines.join(''))
    ;[this.#lines, this.#length] = [[], 0]
    await this.#writer.add(recordsPartName(this.#type, ++this.#parts), content)
  }

  async #addPicture(name: string, bytes: Uint8Array): Promise<void> {
    const content = Buffer.from(bytes)
    await this.#addFile(
      name,
      content.length,
      (async function* () {
        yield content
      })(),
    )
  }

  async #addFile(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    await this.#writer.addStream(`${filesPrefix}${name}`, size, content)
    this.#files.count++
    this.#files.bytes += size
  }
}

/** Returns the value of a field that the conversion does not give; null also where it says so. */
const fallback = (
  field: string,
  fields: ExportFields,
  defaults: Readonly<Record<string, unknown>>,
): unknown => (Object.hasOwn(fields, field) ? null : (defaults[field] ?? null))

/** Evaluates the defaults of a table's columns. */
async function readDefaults(client: pg.ClientBase, table: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select a.attname as name, pg_get_expr(d.adbin, d.adrelid) as value
     from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1::regclass and not a.attisdropped and a.attgenerated = ''`,
    [table],
  )
  // A sequence gives ids, and asking it would take one.
  const constant = rows.filter(({ value }) => !value.includes('nextval('))
  if (constant.length === 0) return {}
  const columns = constant.map(({ name, value }) => `(${value}) as "${name}"`).join(', ')
  const found = await client.query<{ row: Record<string, unknown> }>(
    `select to_jsonb(each) as row from (select ${columns}) as each`,
  )
  const row: unknown = found.rows[0]?.row
  return typeof row === 'string' ? JSON.parse(row) : ((row ?? {}) as Record<string, unknown>)
}

/** Copies a file, and returns its first bytes, its size and its checksum. */
async function copyFile(
  path: string,
  content: AsyncIterable<Buffer>,
): Promise<{ size: number; sha256: string; head: Buffer }> {
  await using file = await open(path, 'w', 0o600)
  const digest = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  for await (const chunk of content) {
    digest.update(chunk)
    size += chunk.length
    if (head.length < pictureHeadLength) head = Buffer.concat([head, chunk]).subarray(0, pictureHeadLength)
    await file.appendFile(chunk)
  }
  return { size, sha256: digest.digest('hex'), head }
}

async function readPicture(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxPictureBytes) throw new NotAnImage('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function unlessNoImage<Result>(draw: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await draw()
  } catch (error) {
    if (error instanceof NotAnImage) return undefined
    throw error
  }
}
