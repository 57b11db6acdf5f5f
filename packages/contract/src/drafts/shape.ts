import { z } from 'zod'
import { draftId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'
import { float, maxItems, maxTimestamp, nonBlank, oneOfStrings } from '../kernel/schemas.ts'

/** Maximum number per account. */
export const maxDrafts = 1_000
/**
 * Maximum size of an account's texts, topics and recipients together, because the initial state
 * contains them.
 */
export const maxTotalDraftBytes = 1_000_000
/** Maximum number of people that a draft is addressed to, the same as for messages. */
const maxDraftRecipients = 1_000

export const draftTypes = ['', 'stream', 'private'] as const

/** A text that has not been sent. `to` contains the id of one stream, or ids of people. */
export const draft = object({
  id: field(draftId, 'The id of the draft.'),
  type: field(z.enum(draftTypes), '`stream`, `private`, or empty if the draft has no recipients yet.'),
  to: field(z.array(z.int()), 'The id of the stream, or the ids of the people. Empty if there are none yet.'),
  topic: field(z.string(), 'The topic of a draft to a stream. Otherwise empty.'),
  content: field(z.string(), 'The Markdown source.'),
  timestamp: field(z.int(), 'When the draft was last edited, in seconds since 1970-01-01 UTC.'),
})
export type Draft = z.infer<typeof draft>

/** A draft in a request. `id` is ignored, so that clients can send back the drafts that they received. */
export const draftToSave = object({
  id: field(z.int().optional(), 'Ignored.'),
  type: field(oneOfStrings(draftTypes), '`stream`, `private`, or empty if the draft has no recipients yet.'),
  to: field(
    maxItems(z.int(), maxDraftRecipients),
    'The id of the stream, or the ids of the people. Empty if there are none yet.',
  ),
  topic: field(z.string(), 'The topic of a draft to a stream. Otherwise empty.'),
  content: field(nonBlank(), 'The Markdown source.'),
  timestamp: field(
    float()
      .refine((value) => value >= 0, { error: '{V} must not be negative' })
      .refine((value) => value <= maxTimestamp, { error: '{V} is too large' })
      .optional(),
    'When the draft was last edited, in seconds since 1970-01-01 UTC; a fraction is dropped. Now if absent.',
  ),
})
export type DraftToSave = z.infer<typeof draftToSave>
