import { z } from 'zod'
import { linkifierId } from '../ids.ts'

/** Pattern, URL format and id of a linkifier. */
export const linkifier = z.tuple([z.string(), z.string(), linkifierId])
export type Linkifier = z.infer<typeof linkifier>

/** Linkifiers in the order in which they are tried. */
export const linkifiers = z.array(linkifier)

/** Maximum number per organization. Every message is searched for every linkifier. */
export const maxLinkifiers = 500
export const maxLinkifierPatternLength = 1_000
export const maxLinkifierUrlLength = 2_000
