import { OperatorError } from '../../../platform/operator-error.ts'
import type { RecordType } from '../format/record-type.ts'
import { recordTypes } from '../format/records.ts'
import { checkRecord } from './check-record.ts'
import type { ExportReader, ListedFile } from './export-reader.ts'
import { type DenseKind, IdMaps, isDense } from './id-maps.ts'
import { type ExportedRecord, readRecords, refuseForeignHtml } from './read-records.ts'
import { contentRefusal } from './refuse.ts'

export interface VerifiedExport {
  ids: IdMaps
  /** Names of the files that are neither records nor uploads. */
  pictures: ReadonlySet<string>
  /** Number of uploaded files. */
  uploads: number
}

export interface VerifyOptions {
  /** Ids of the system accounts of this server, by address. */
  systemAccounts: ReadonlyMap<string, number>
  onProgress: (step: string, done: number, total: number) => void
}

/**
 * Reads a whole export before anything is written: verifies all checksums and counts, checks every
 * record against its schema, refuses HTML that the renderer cannot have written, and collects all
 * ids. Checks all references between records except those to messages, which the import checks.
 */
export async function verifyExport(reader: ExportReader, options: VerifyOptions): Promise<VerifiedExport> {
  const verifier = new Verifier(reader, options)
  await verifier.run()
  return verifier.result()
}

const typesByName = new Map(recordTypes.map((type, index) => [type.name, { type, index }]))

class Verifier {
  readonly #reader: ExportReader
  readonly #options: VerifyOptions
  readonly #ids = new IdMaps()
  readonly #counts = new Map<string, number>()
  readonly #parts = new Map<string, number>()
  readonly #pictures = new Set<string>()
  /** Checksums and sizes of the uploaded files, by upload id. */
  readonly #uploads = new Map<number, { sha256: string; size: number }>()
  /** References to records that come later in the export. */
  readonly #later: [kind: DenseKind, id: number][] = []
  #typeIndex = 0
  #files = 0

  constructor(reader: ExportReader, options: VerifyOptions) {
    this.#reader = reader
    this.#options = options
  }

  result(): VerifiedExport {
    return { ids: this.#ids, pictures: this.#pictures, uploads: this.#uploads.size }
  }

  async run(): Promise<void> {
    const { contents, records, files } = this.#reader.manifest
    let done = 0
    for await (const file of this.#reader.list()) {
      await (file.type === undefined ? this.#verifyFile(file) : this.#verifyPart(file, file.type))
      this.#options.onProgress('verifying', ++done, contents.count)
    }
    for (const [kind, id] of this.#later)
      if (!this.#ids.has(kind, id)) throw contentRefusal(`no record of the kind ${kind} has the id ${id}`)
    for (const type of new Set([...Object.keys(records), ...this.#counts.keys()]))
      if ((records[type] ?? 0) !== (this.#counts.get(type) ?? 0))
        throw contentRefusal(`there are ${this.#counts.get(type) ?? 0} records of the type ${type}`)
    if (this.#counts.get('organization') !== 1) throw contentRefusal('there is not exactly one organization')
    if (files.count !== this.#files) throw contentRefusal(`there are ${this.#files} files`)
    for (const id of this.#uploads.keys())
      if (!this.#ids.has('upload', id)) throw contentRefusal(`there is no record of the file uploads/${id}`)
  }

  async #verifyFile(file: ListedFile): Promise<void> {
    let size = 0
    for await (const chunk of this.#reader.readFile(file)) size += chunk.length
    const [, upload] = /^files\/uploads\/(\d+)$/.exec(file.name) ?? []
    const isNew = upload ? !this.#uploads.has(Number(upload)) : !this.#pictures.has(file.name)
    if (!isNew) throw contentRefusal(`${file.name} is listed twice`)
    if (upload) this.#uploads.set(Number(upload), { sha256: file.sha256, size })
    else this.#pictures.add(file.name)
    this.#files++
  }

  async #verifyPart(file: ListedFile, name: string): Promise<void> {
    const known = typesByName.get(name)
    const part = (this.#parts.get(name) ?? 0) + 1
    if (
      !known ||
      known.index < this.#typeIndex ||
      !file.name.endsWith(`/${String(part).padStart(6, '0')}.jsonl`)
    )
      throw contentRefusal(`${file.name} is not at its place`)
    this.#typeIndex = known.index
    this.#parts.set(name, part)
    const content = await this.#reader.readPart(file)
    for (const record of readRecords(known.type, content, file.name)) {
      const count = (this.#counts.get(name) ?? 0) + 1
      this.#counts.set(name, count)
      checkRecord(name, record, count)
      this.#verifyRecord(known.type, record)
    }
  }

  #verifyRecord(type: RecordType, record: ExportedRecord): void {
    refuseForeignHtml(type, record)
    if (type.name === 'system_account') {
      this.#noteSystemAccount(record)
      return
    }
    const upload = type.name === 'upload' ? this.#uploads.get(record.id as number) : undefined
    if (type.name === 'upload' && (upload?.sha256 !== record.sha256 || upload?.size !== record.size))
      throw contentRefusal(`the file uploads/${record.id} is missing, or is not the one of its record`)
    for (const [name, field] of Object.entries(type.fields)) {
      if (field.role !== 'id') continue
      const { kind } = field
      for (const id of [record[name]].flat() as (number | null)[]) {
        if (id === null) continue
        if (!isDense(kind)) this.#ids.note(kind as 'message' | 'position', id)
        else if (name === 'id') this.#ids.add(kind, id)
        else if (!this.#ids.has(kind, id)) this.#later.push([kind, id])
        if (this.#later.length > 1_000_000)
          throw contentRefusal('too many records refer to others that are missing')
      }
    }
  }

  #noteSystemAccount({ id, email }: ExportedRecord): void {
    const own = this.#options.systemAccounts.get(email as string)
    if (own === undefined)
      throw new OperatorError(
        `This server has no account ${email}, which the export needs. Nothing was imported. Install the release that made the export, or a newer one.`,
      )
    this.#ids.addSystemAccount(id as number, own)
  }
}
