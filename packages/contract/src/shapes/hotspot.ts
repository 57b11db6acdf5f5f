import { z } from 'zod'

/** Places of the screen that are shown to newcomers, one after the other. */
export const hotspot = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  delay: z.number(),
})
export type Hotspot = z.infer<typeof hotspot>
