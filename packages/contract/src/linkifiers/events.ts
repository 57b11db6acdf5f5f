import type { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { linkifiers } from './shape.ts'

export const linkifiersEvent = eventSchema('realm_filters', {
  realm_filters: linkifiers,
})
export type LinkifiersEvent = z.infer<typeof linkifiersEvent>
