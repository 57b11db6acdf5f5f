import type { z } from 'zod'
import { linkifiers } from '../shapes/linkifier.ts'
import { eventSchema } from './event-schema.ts'

export const linkifiersEvent = eventSchema('realm_filters', {
  realm_filters: linkifiers,
})
export type LinkifiersEvent = z.infer<typeof linkifiersEvent>
