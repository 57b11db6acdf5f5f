import { z } from 'zod'
import { messageId, uploadId } from '../ids.ts'

/** A message that refers to an upload. */
export const attachmentMessage = z.strictObject({
  id: messageId,
  date_sent: z.int(),
})

/** Maximum number of messages that are listed with an upload, however many refer to it. */
export const maxAttachmentMessages = 50

/** An upload as its owner sees it. */
export const attachment = z.strictObject({
  id: uploadId,
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  content_type: z.string(),
  create_time: z.int(),
  messages: z.array(attachmentMessage),
})
export type Attachment = z.infer<typeof attachment>
