import type { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { linkifiers } from './shape.ts'

export const linkifiersEvent = eventSchema('realm_filters', {
  realm_filters: field(linkifiers, `After the change: ${linkifiers.description}`),
})
export type LinkifiersEvent = z.infer<typeof linkifiersEvent>
