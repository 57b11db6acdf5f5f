import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { dataExport } from './shape.ts'

export const dataExportsEvent = eventSchema('realm_export', {
  exports: z.array(dataExport),
})
