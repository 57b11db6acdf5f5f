import { z } from 'zod'
import { linkifierId } from '../ids.ts'

/** What texts say in short, where it leads, and its id. */
export const linkifier = z.tuple([z.string(), z.string(), linkifierId])
export type Linkifier = z.infer<typeof linkifier>

/** In the order in which they are tried. */
export const linkifiers = z.array(linkifier)

/** Each is looked for at every place of every text. */
export const maxLinkifiers = 500
