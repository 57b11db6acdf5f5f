import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { App } from '../../../platform/app.ts'
import { ArchiveWriter } from '../../../platform/archive/archive-writer.ts'
import type { openSession } from '../../../platform/archive/open-session.ts'
import type { DataExportRow } from '../../../platform/database/tables.ts'
import { archiveKey } from '../queries.ts'
import { exportOrganization } from './export-organization.ts'

type Session = Awaited<ReturnType<typeof openSession>>

/** Stores the archive of an export, and returns its size in bytes. */
export async function writeArchive(app: App, client: Session['client'], row: DataExportRow): Promise<number> {
  const { organization_id, origin } = row
  const [archive, gzip] = [new PassThrough({ highWaterMark: 1_048_576 }), createGzip()]
  const compressed = pipeline(archive, gzip)
  const stored = app.files.put(archiveKey(row), gzip)
  // Both promises reject with the error of the export, which is thrown below.
  compressed.catch(() => {})
  stored.catch(() => {})
  try {
    const options = { organization_id, url: origin, scope: 'public', files: app.files } as const
    await exportOrganization(client, new ArchiveWriter(archive), options)
    archive.end()
    await compressed
  } catch (error) {
    archive.destroy(error as Error)
    await stored.catch(() => {})
    throw error
  }
  return (await stored).size
}
