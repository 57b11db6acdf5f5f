import type { DataExport } from '@oxbow/contract'
import type { DataExportRow } from '../../platform/database/tables.ts'

/** URL path of archives. It is followed by the id of the export and the name of the file. */
export const archivePath = '/data_exports'

const toSeconds = (time: Date | null): number | null => time && time.getTime() / 1_000

export function viewExport(row: DataExportRow): DataExport {
  const { id, acting_user_id, started_at, finished_at, failed_at, deleted_at } = row
  const isAvailable = finished_at !== null && deleted_at === null
  return {
    id,
    acting_user_id,
    export_time: started_at.getTime() / 1_000,
    export_url: isAvailable ? `${row.origin}${archivePath}/${id}/${archiveName(row)}` : null,
    deleted_timestamp: toSeconds(deleted_at),
    failed_timestamp: toSeconds(failed_at),
    pending: finished_at === null && failed_at === null,
  }
}

export function archiveName({ id, started_at }: Pick<DataExportRow, 'id' | 'started_at'>): string {
  return `export-${id}-${started_at.toISOString().slice(0, 10)}.tar.gz`
}
