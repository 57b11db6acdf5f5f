import { z } from 'zod'
import { messageId, uploadId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

/** A message that refers to an upload. */
export const attachmentMessage = object({
  id: field(messageId, 'The id of the message.'),
  date_sent: field(z.int(), 'When the message was sent, in milliseconds since 1970. A multiple of 1000.'),
})

/** Maximum number of messages that are listed with an upload, however many refer to it. */
export const maxAttachmentMessages = 50

/** An upload as its owner sees it. */
export const attachment = object({
  id: field(uploadId, 'The id of the upload.'),
  name: field(z.string(), 'The name that the file had when it was uploaded.'),
  path_id: field(z.string(), 'The `uri` of the upload without `/user_uploads/`.'),
  size: field(z.int(), 'The size of the file in bytes.'),
  content_type: field(
    z.string(),
    'The type of the file, like `image/png`. Pictures, sound, video and PDF are recognized by their content.',
  ),
  create_time: field(z.int(), 'When the file was uploaded, in milliseconds since 1970. A multiple of 1000.'),
  messages: field(
    z.array(attachmentMessage),
    `The newest ${maxAttachmentMessages} messages that refer to the file and that its owner may see, ordered by id.`,
  ),
})
export type Attachment = z.infer<typeof attachment>
