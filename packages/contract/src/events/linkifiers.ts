import type { z } from 'zod'
import { linkifiers } from '../shapes/linkifier.ts'
import { kind } from './kind.ts'

export const linkifiersEvent = kind('realm_filters', {
  realm_filters: linkifiers,
})
export type LinkifiersEvent = z.infer<typeof linkifiersEvent>
