import { z } from 'zod'
import { draftId } from '../ids.ts'
import { float, maxItems, maxTimestamp, nonBlank, oneOfStrings } from '../kernel/schemas.ts'

/** Maximum number per account. */
export const maxDrafts = 1_000
/** Bytes of all texts, topics and recipients of an account, because the registered state contains them. */
export const maxTotalDraftBytes = 1_000_000
/** People to whom a draft can be addressed, as for messages. */
const maxDraftRecipients = 1_000

export const draftTypes = ['', 'stream', 'private'] as const

/** A text that has not been sent. `to` has the id of a stream, or those of people. */
export const draft = z.strictObject({
  id: draftId,
  type: z.enum(draftTypes),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
})
export type Draft = z.infer<typeof draft>

/** A draft in a request. An `id` is ignored, so that clients can send back what they got. */
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
