import { z } from 'zod'
import { uploadId } from '../ids.ts'
import { attachment } from '../shapes/attachment.ts'
import { eventSchema } from './event-schema.ts'

/** An upload of the receiver was added, or messages refer to it that did not, or no longer do. */
export const attachmentChange = eventSchema('attachment', {
  op: z.enum(['add', 'update']),
  attachment,
  upload_space_used: z.int(),
})

export const removedAttachment = z.strictObject({ id: uploadId })

export const attachmentRemoval = eventSchema('attachment', {
  op: z.literal('remove'),
  attachment: removedAttachment,
  upload_space_used: z.int(),
})

export const attachmentEvent = z.discriminatedUnion('op', [attachmentChange, attachmentRemoval])
export type AttachmentEvent = z.infer<typeof attachmentEvent>
