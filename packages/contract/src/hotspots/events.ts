import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { hotspot } from './shape.ts'

export const hotspotsEvent = eventSchema('hotspots', {
  hotspots: field(z.array(hotspot), 'The next hotspot to show. Empty if there are no more.'),
})
export type HotspotsEvent = z.infer<typeof hotspotsEvent>
