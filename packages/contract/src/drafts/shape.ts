import { z } from 'zod'
import { draftId } from '../ids.ts'
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
export const draft = z.strictObject({
  id: draftId,
  type: z.enum(draftTypes),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
})
export type Draft = z.infer<typeof draft>

/** A draft in a request. `id` is ignored, so that clients can send back the drafts that they received. */
export const draftToSave = z.strictObject({
  id: z.int().optional(),
  type: oneOfStrings(draftTypes),
  to: maxItems(z.int(), maxDraftRecipients),
  topic: z.string(),
  content: nonBlank(),
  timestamp: float()
    .refine((value) => value >= 0, { error: '{V} must not be negative' })
    .refine((value) => value <= maxTimestamp, { error: '{V} is too large' })
    .optional(),
})
export type DraftToSave = z.infer<typeof draftToSave>
