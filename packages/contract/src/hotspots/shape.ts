import { z } from 'zod'

/** A part of the user interface that is explained to new users. */
export const hotspot = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  delay: z.number(),
})
export type Hotspot = z.infer<typeof hotspot>
