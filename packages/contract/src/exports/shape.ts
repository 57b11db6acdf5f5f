import { z } from 'zod'
import { dataExportId, userId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

/** An export of the organization's public data. Times are in seconds. */
export const dataExport = object({
  id: field(dataExportId, 'The id of the export.'),
  acting_user_id: field(userId, 'The id of the administrator who started the export.'),
  export_time: field(z.number(), 'When the export was started, in seconds.'),
  export_url: field(
    z.string().nullable(),
    'The URL of the archive, for administrators. Null until it is complete, and after it was deleted.',
  ),
  deleted_timestamp: field(
    z.number().nullable(),
    'When the archive was deleted, in seconds. Null if it was not.',
  ),
  failed_timestamp: field(z.number().nullable(), 'When the export failed, in seconds. Null if it did not.'),
  pending: field(z.boolean(), 'Whether the export is still running.'),
})
export type DataExport = z.infer<typeof dataExport>

/** Number of exports that an organization may start in `exportPeriodDays`. */
export const maxExports = 5
export const exportPeriodDays = 7
/**
 * Days after which the archive of an export is deleted. It is `exportPeriodDays`, so that an organization has
 * at most `maxExports` archives.
 */
export const exportLifetimeDays = exportPeriodDays
/** Larger organizations are exported by the operator. */
export const maxExportedMessages = 250_000
export const maxExportedBytes = 10 * 1_024 ** 3
