import { z } from 'zod'
import { hotspot } from '../shapes/hotspot.ts'
import { eventSchema } from './event-schema.ts'

export const hotspotsEvent = eventSchema('hotspots', {
  hotspots: z.array(hotspot),
})
export type HotspotsEvent = z.infer<typeof hotspotsEvent>
