import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { hotspot } from './shape.ts'

export const hotspotsEvent = eventSchema('hotspots', {
  hotspots: z.array(hotspot),
})
export type HotspotsEvent = z.infer<typeof hotspotsEvent>
