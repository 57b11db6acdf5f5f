import type { OrganizationId } from '@oxbow/contract'
import { proxyPictures } from '../../../messages/external-pictures/proxy-pictures.ts'
import { pictureKinds } from '../../../organization/pictures.ts'
import type { App } from '../../../platform/app.ts'
import { openSession, type Session } from '../../../platform/archive/open-session.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import type { ExportManifest } from '../format/manifest.ts'
import type { RecordType } from '../format/record-type.ts'
import { recordTypes } from '../format/records.ts'
import { type ConversionContext, convertRecord, type Row } from './convert-record.ts'
import { ExportReader, type ListedFile } from './export-reader.ts'
import { enqueueErasures, finishRows } from './finish-rows.ts'
import { type FileTargets, importFiles } from './import-files.ts'
import { loadRows } from './load-rows.ts'
import { linkTo } from './map-text.ts'
import { type ExportedRecord, readRecords } from './read-records.ts'
import { beginImport, endImport, undoImport, undoInterruptedImports } from './unfinished-imports.ts'
import { type VerifiedExport, verifyExport } from './verify-export.ts'

export interface ImportOptions {
  /** Subdomain of the new organization; empty for the root host. */
  subdomain: string
  /** Name of the new organization. By default, the name in the export. */
  name?: string | undefined
  /** Address of the new organization. It replaces the old one in links. */
  url: string
  onProgress: (step: string, done: number, total: number) => void
}

export interface ImportedOrganization {
  organization_id: OrganizationId
  name: string
  manifest: ExportManifest
}

/**
 * Imports an export as a new organization. Verifies the whole export before it writes anything. All
 * rows are written in one transaction, which commits after the files are stored. An interrupted
 * import leaves only files, which the next import or the next start of a node removes.
 */
export async function importOrganization(
  app: App,
  directory: string,
  options: ImportOptions,
): Promise<ImportedOrganization> {
  await undoInterruptedImports(app)
  const reader = await ExportReader.open(directory)
  await using session = await openSession(app.config.database_url, 'oxbow import')
  await refuseTakenSubdomain(session, options.subdomain)
  const verified = await verifyExport(reader, {
    systemAccounts: await readSystemAccounts(session),
    onProgress: options.onProgress,
  })
  await verified.ids.assign(session.client)
  const id = await beginImport(session.client)
  try {
    await session.client.query('begin')
    const name = await new Importer(app, session, reader, verified, id, options).run()
    await endImport(session.client, id)
    await session.client.query('commit')
    return { organization_id: id, name, manifest: reader.manifest }
  } catch (error) {
    // If the connection is lost, the next import or the next start of a node removes the files.
    await session.client
      .query('rollback')
      .then(() => undoImport(session.client, app.files, id))
      .catch(() => {})
    throw isRefusedByDatabase(error) ? explainViolation(error as Error) : error
  }
}

class Importer {
  readonly #app: App
  readonly #session: Session
  readonly #reader: ExportReader
  readonly #verified: VerifiedExport
  readonly #options: ImportOptions
  readonly #context: ConversionContext
  readonly #targets: FileTargets
  #name = ''

  constructor(
    app: App,
    session: Session,
    reader: ExportReader,
    verified: VerifiedExport,
    organization_id: OrganizationId,
    options: ImportOptions,
  ) {
    const { ids, pictures } = verified
    const { subdomain, name, url } = options
    const { id: oldId, url: oldUrl } = reader.manifest.organization
    this.#app = app
    this.#session = session
    this.#reader = reader
    this.#verified = verified
    this.#options = options
    this.#context = {
      app,
      organization_id,
      subdomain,
      name,
      url,
      ids,
      mapping: {
        ids,
        from: { id: oldId },
        ownLink: linkTo(oldUrl),
        to: { id: organization_id, url },
        proxyPictures: (html) => proxyPictures(app, organization_id, html),
      },
      pictures,
      fieldTypes: new Map(),
    }
    this.#targets = {
      organization_id,
      ids,
      pictureVersions: new Map(),
      avatarVersions: new Map(),
      uploads: new Map(),
    }
  }

  /** Writes all rows and files, and returns the name of the organization. */
  async run(): Promise<string> {
    const { client } = this.#session
    const { manifest } = this.#reader
    const { organization_id, ids } = this.#context
    const parts = await this.#listParts()
    for (const type of recordTypes) {
      // This server has its own system accounts.
      if (type.name === 'system_account') continue
      await loadRows(client, type.table, this.#rowsOf(type, parts.get(type.name) ?? []))
    }
    this.#options.onProgress('checking references', 1, 1)
    await finishRows(client, organization_id, { scope: manifest.scope, lastMessage: ids.lastMessage })
    const total = this.#verified.pictures.size + this.#verified.uploads
    let done = 0
    await importFiles(this.#reader, this.#app.files, this.#targets, () =>
      this.#options.onProgress('files', ++done, total),
    )
    await enqueueErasures(client, organization_id)
    return this.#name
  }

  async #listParts(): Promise<Map<string, ListedFile[]>> {
    const parts = new Map<string, ListedFile[]>()
    for await (const file of this.#reader.list())
      if (file.type !== undefined) parts.set(file.type, [...(parts.get(file.type) ?? []), file])
    return parts
  }

  async *#rowsOf(type: RecordType, parts: readonly ListedFile[]): AsyncGenerator<Row> {
    const total = this.#reader.manifest.records[type.name] ?? 0
    let done = 0
    for (const part of parts)
      for (const record of readRecords(type, await this.#reader.readPart(part), part.name)) {
        const row = convertRecord(type, record, this.#context)
        this.#noteFiles(type, record, row)
        this.#options.onProgress(type.name, ++done, total)
        yield row
      }
  }

  #noteFiles({ name }: RecordType, record: ExportedRecord, row: Row): void {
    const { pictureVersions, avatarVersions, uploads } = this.#targets
    if (name === 'organization') {
      this.#name = row.name as string
      for (const kind of pictureKinds) pictureVersions.set(kind, row[`${kind}_version`] as number)
    }
    if (name === 'user') avatarVersions.set(record.id as number, row.avatar_version as number)
    if (name === 'upload')
      uploads.set(record.id as number, { path_id: row.path_id as string, sha256: record.sha256 as string })
  }
}

async function readSystemAccounts({ client }: Session): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; email: string }>('select id, email from system_account')
  return new Map(rows.map(({ id, email }) => [email, Number(id)]))
}

async function refuseTakenSubdomain({ client }: Session, subdomain: string): Promise<void> {
  const { rowCount } = await client.query('select from organization where subdomain = $1', [subdomain])
  if (rowCount !== 0) throw takenSubdomain(subdomain)
}

const takenSubdomain = (subdomain: string): OperatorError =>
  new OperatorError(
    subdomain === ''
      ? 'The root host has an organization already. Give the new one a host of its own: --subdomain NAME'
      : `There is an organization at the subdomain "${subdomain}" already.`,
  )

/** Returns whether PostgreSQL refused a value or a row, for example a date that does not exist. */
function isRefusedByDatabase(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^2[23]\w{3}$/.test(code)
}

function explainViolation(error: Error): OperatorError {
  return new OperatorError(
    `The export has records that contradict each other: ${error.message}. Nothing was imported.`,
  )
}
