import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { uploadId } from '../ids.ts'
import { attachment } from './shape.ts'

/** The receiver uploaded a file, or the messages that refer to one of the receiver's uploads changed. */
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
