import { z } from 'zod'
import { linkifierId } from '../ids.ts'
import { field } from '../kernel/field.ts'

/** Pattern, URL format and id of a linkifier. */
export const linkifier = z.tuple([z.string(), z.string(), linkifierId])
export type Linkifier = z.infer<typeof linkifier>

export const linkifiers = field(
  z.array(linkifier),
  'The linkifiers, in the order in which they are tried. Each is a list of its pattern, its URL format and its id.',
)

/** Maximum number per organization. Every message is searched for every linkifier. */
export const maxLinkifiers = 500
export const maxLinkifierPatternLength = 1_000
export const maxLinkifierUrlLength = 2_000
