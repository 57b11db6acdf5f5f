import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { draftId } from '../ids.ts'
import { draft } from './shape.ts'

export const draftsEvent = z.discriminatedUnion('op', [
  eventSchema('drafts', { op: z.literal('add'), drafts: z.array(draft) }),
  eventSchema('drafts', { op: z.literal('update'), draft }),
  eventSchema('drafts', { op: z.literal('remove'), draft_id: draftId }),
])
export type DraftsEvent = z.infer<typeof draftsEvent>
