import { stat } from 'node:fs/promises'
import type { OrganizationId } from '@oxbow/contract'
import type { ImportSink } from '@oxbow/imports'
import type { ExportManifest } from '../administration/exports/format/manifest.ts'
import type { Scope } from '../administration/exports/format/record-type.ts'
import {
  type ImportedOrganization,
  type ImportOptions,
  importOrganization,
} from '../administration/exports/read/import-organization.ts'
import { cannotUnpack, unpackArchive } from '../administration/exports/read/unpack-archive.ts'
import { ConvertedExport } from '../administration/exports/write/converted-export.ts'
import { DirectoryWriter } from '../administration/exports/write/directory-writer.ts'
import { openDraftDirectory, openExportDirectory } from '../administration/exports/write/export-directory.ts'
import {
  type ExportProgress,
  exportOrganization,
} from '../administration/exports/write/export-organization.ts'
import {
  checkOrganizationName,
  getOrganizationAt,
  refuseMalformedSubdomain,
} from '../organization/get-organization-at.ts'
import type { App } from '../platform/app.ts'
import { openSession } from '../platform/archive/open-session.ts'
import { findServedFolder } from '../platform/archive/target-file.ts'
import { getFilesDirectory } from '../platform/files/open-file-store.ts'
import { OperatorError } from '../platform/operator-error.ts'

export { exportJsonSchema } from '../administration/exports/format/json-schema.ts'
export type { ExportManifest } from '../administration/exports/format/manifest.ts'
export type { ImportedOrganization } from '../administration/exports/read/import-organization.ts'
export type { ExportProgress } from '../administration/exports/write/export-organization.ts'

export interface ExportCommandOptions {
  /** Subdomain of the organization; empty for the one at the root host. */
  subdomain: string
  scope: Scope
  /** URL of the organization, if it is configured. */
  url: string | null
  onProgress?: ((progress: ExportProgress) => void) | undefined
  warn: (text: string) => void
  /**
   * Called once with a function that removes the unfinished directory. The caller runs that
   * function if a signal ends the process.
   */
  onOpened?: ((remove: () => void) => void) | undefined
}

/** Writes an export of an organization into a new directory, while nodes run. Returns the manifest. */
export async function exportOrganizationTo(
  app: App,
  target: string,
  { subdomain, scope, url, onProgress, warn, onOpened }: ExportCommandOptions,
): Promise<ExportManifest> {
  const { config, files } = app
  const { id } = await getOrganizationAt(app, subdomain)
  const ownFolders = [getFilesDirectory(config), ...(config.web_dir ? [config.web_dir] : [])]
  const warning = findServedFolder(target, ownFolders, 'An export contains private messages and addresses')
  if (warning) warn(warning)
  const directory = await openExportDirectory(target)
  onOpened?.(directory.remove)
  try {
    await using session = await openSession(config.database_url, 'oxbow organization export')
    const manifest = await exportOrganization(session.client, new DirectoryWriter(directory.draft), {
      organization_id: id as OrganizationId,
      url,
      scope,
      files,
      onProgress,
    })
    await directory.commit()
    return manifest
  } catch (error) {
    directory.remove()
    throw error
  }
}

export interface ImportCommandOptions extends ImportOptions {
  /**
   * Called once, if the export is an archive, with a function that removes the unpacked files. The
   * caller runs that function if a signal ends the process.
   */
  onUnpacking?: ((remove: () => void) => void) | undefined
}

/**
 * Imports an export, which is a directory or an archive, as a new organization, while nodes run.
 * Unpacks an archive into a temporary directory beside it. Throws an `OperatorError` if the export
 * is refused.
 */
export async function importOrganizationFrom(
  app: App,
  path: string,
  options: ImportCommandOptions,
): Promise<ImportedOrganization> {
  refuseMalformedSubdomain(options.subdomain)
  const name = options.name === undefined ? undefined : checkOrganizationName(options.name)
  const checked = { ...options, name }
  const found = await stat(path).catch((error: Error) => {
    throw new OperatorError(`The export cannot be read: ${error.message}`)
  })
  if (!found.isFile()) return importOrganization(app, path, checked)
  const unpacked = await openDraftDirectory(`${path}.unpacked`).catch((error: Error) => {
    throw cannotUnpack(error)
  })
  options.onUnpacking?.(unpacked.remove)
  try {
    await unpackArchive(path, unpacked.draft, options.onProgress)
    return await importOrganization(app, unpacked.draft, checked)
  } finally {
    unpacked.remove()
  }
}

export interface ConvertCommandOptions {
  /** Folder on the disk of the export, for one file at a time. */
  work: string
  name: string
  createdAt: Date
  onOpened?: ((remove: () => void) => void) | undefined
}

/**
 * Writes an export of records that `convert` makes from the archive of another system, into a new directory.
 * The database is only asked for the defaults of settings.
 */
export async function writeConvertedExport(
  app: App,
  target: string,
  { work, name, createdAt, onOpened }: ConvertCommandOptions,
  convert: (sink: ImportSink) => Promise<void>,
): Promise<ExportManifest> {
  const checkedName = checkOrganizationName(name)
  const directory = await openExportDirectory(target)
  onOpened?.(directory.remove)
  try {
    await using session = await openSession(app.config.database_url, 'oxbow import convert')
    const { client } = session
    const options = { client, folder: work, name: checkedName, createdAt }
    const converted = await ConvertedExport.open(new DirectoryWriter(directory.draft), options)
    await convert(converted)
    const manifest = await converted.finish()
    await directory.commit()
    return manifest
  } catch (error) {
    directory.remove()
    throw error
  }
}
