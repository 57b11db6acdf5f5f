import { z } from 'zod'
import { hotspot } from '../shapes/hotspot.ts'
import { kind } from './kind.ts'

export const hotspotsEvent = kind('hotspots', {
  hotspots: z.array(hotspot),
})
export type HotspotsEvent = z.infer<typeof hotspotsEvent>
