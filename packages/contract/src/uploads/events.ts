import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { uploadId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'
import { attachment } from './shape.ts'

/** The receiver uploaded a file, or the messages that refer to one of the receiver's uploads changed. */
export const attachmentChange = eventSchema('attachment', {
  op: field(z.enum(['add', 'update']), '`add`: the file was uploaded. `update`: its messages changed.'),
  attachment: field(attachment, 'The upload as it is now.'),
  upload_space_used: field(z.int(), 'The total size of all uploads of the organization, in bytes.'),
})

export const removedAttachment = object({ id: field(uploadId, 'The id of the upload.') })

export const attachmentRemoval = eventSchema('attachment', {
  op: field(z.literal('remove'), 'The upload was removed.'),
  attachment: field(removedAttachment, 'The upload that was removed.'),
  upload_space_used: field(z.int(), 'The total size of all uploads of the organization, in bytes.'),
})

export const attachmentEvent = z.discriminatedUnion('op', [attachmentChange, attachmentRemoval])
export type AttachmentEvent = z.infer<typeof attachmentEvent>
