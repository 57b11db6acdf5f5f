import { api } from '../api.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { attachmentChange, attachmentRemoval, removedAttachment } from './events.ts'
import { attachment, attachmentMessage, maxAttachmentMessages } from './shape.ts'

const id = 'The id of the upload.'
const spaceUsed = 'The total size of all uploads of the organization, in bytes.'
const organizationPart = 'The id of the organization, as in the `uri` of the upload.'
const filePart = 'The rest of the `uri`.'

describeFields(attachmentMessage, {
  id: 'The id of the message.',
  date_sent: 'When the message was sent, in milliseconds since 1970. A multiple of 1000.',
})
describeFields(attachment, {
  id,
  name: 'The name that the file had when it was uploaded.',
  path_id: 'The `uri` of the upload without `/user_uploads/`.',
  size: 'The size of the file in bytes.',
  content_type:
    'The type of the file, like `image/png`. Pictures, sound, video and PDF are recognized by their content.',
  create_time: 'When the file was uploaded, in milliseconds since 1970. A multiple of 1000.',
  messages: `The newest ${maxAttachmentMessages} messages that refer to the file and that its owner may see, ordered by id.`,
})
describeFields(removedAttachment, { id })

describeEndpoint(
  api.uploads.upload,
  { mimetype: 'The type of the file. Its usual extension is appended to the name of the file.' },
  {
    uri: 'The path of the file on this server. A message refers to the file by a link to it: `[name](uri)`.',
  },
)
const temporaryLink = { url: 'The path of the temporary link on this server.' }
describeEndpoint(
  api.uploads.getTemporaryLink,
  { realm_id_str: organizationPart, filename: filePart },
  temporaryLink,
)
describeEndpoint(
  api.uploads.findTemporaryLink,
  { realm_id_str: organizationPart, filename: filePart },
  temporaryLink,
)
describeEndpoint(
  api.uploads.list,
  {},
  { attachments: 'The uploads of this account, ordered by id.', upload_space_used: spaceUsed },
)
describeEndpoint(api.uploads.remove, { attachment_id: id }, {})

describeEvent(attachmentChange, {
  op: '`add`: the file was uploaded. `update`: its messages changed.',
  attachment: 'The upload as it is now.',
  upload_space_used: spaceUsed,
})
describeEvent(attachmentRemoval, {
  op: 'The upload was removed.',
  attachment: 'The upload that was removed.',
  upload_space_used: spaceUsed,
})
