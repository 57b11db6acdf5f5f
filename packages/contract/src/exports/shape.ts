import { z } from 'zod'
import { dataExportId, userId } from '../ids.ts'

/** An export of the organization's public data. Times are in seconds. */
export const dataExport = z.strictObject({
  id: dataExportId,
  acting_user_id: userId,
  export_time: z.number(),
  export_url: z.string().nullable(),
  deleted_timestamp: z.number().nullable(),
  failed_timestamp: z.number().nullable(),
  pending: z.boolean(),
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
