import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { dataExport } from './shape.ts'

export const dataExportsEvent = eventSchema('realm_export', {
  exports: field(z.array(dataExport), 'All exports that were started, the oldest first.'),
})
