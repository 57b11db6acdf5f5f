import { z } from 'zod'
import { dataExport } from '../shapes/data-export.ts'
import { eventSchema } from './event-schema.ts'

export const dataExportsEvent = eventSchema('realm_export', {
  exports: z.array(dataExport),
})
export type DataExportsEvent = z.infer<typeof dataExportsEvent>
