import { z } from 'zod'
import { field, object } from '../kernel/field.ts'

/** A part of the user interface that is explained to new users. */
export const hotspot = object({
  name: field(z.string(), 'The name of the hotspot.'),
  title: field(z.string(), 'The title, to be shown to users.'),
  description: field(z.string(), 'The explanation, to be shown to users.'),
  delay: field(z.number(), 'How many seconds to wait before the hotspot is shown.'),
})
export type Hotspot = z.infer<typeof hotspot>
