import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { draftId } from '../ids.ts'
import { field } from '../kernel/field.ts'
import { draft } from './shape.ts'

export const draftsEvent = z.discriminatedUnion('op', [
  eventSchema('drafts', {
    op: field(z.literal('add'), 'Drafts were stored.'),
    drafts: field(z.array(draft), 'The new drafts.'),
  }),
  eventSchema('drafts', {
    op: field(z.literal('update'), 'A draft was edited.'),
    draft: field(draft, 'The draft as it is now.'),
  }),
  eventSchema('drafts', {
    op: field(z.literal('remove'), 'A draft was deleted.'),
    draft_id: field(draftId, 'The id of the draft.'),
  }),
])
export type DraftsEvent = z.infer<typeof draftsEvent>
