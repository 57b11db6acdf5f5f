import { z } from 'zod'
import {
  flag,
  id,
  integer,
  markdown,
  oneOf,
  optionalId,
  optionalInteger,
  optionalMarkdown,
  optionalRenderedHtml,
  optionalText,
  optionalTimestamp,
  renderedHtml,
  special,
  specialIds,
  specialText,
  text,
  timestamp,
} from './fields.ts'
import { recordType } from './record-type.ts'
import { isPublicStream } from './stream-records.ts'

const isPublicMessage = (alias: string): string =>
  `not ${alias}.is_private and ${isPublicStream(`${alias}.recipient_id`)} and ${isPublicStream(`${alias}.sent_recipient_id`)}`
const ofPublicMessage = `exists (
  select from message m where m.organization_id = r.organization_id and m.id = r.message_id and ${isPublicMessage('m')})`
const isHistoryShown =
  'exists (select from organization o where o.id = r.organization_id and o.allow_edit_history)'
const maxBytes = 2 ** 50
const maxSide = 1_000_000

/**
 * Path of an uploaded file: the organization's id, two segments that identify the file, and the file name that
 * users see, as `sanitizeFileName` writes it.
 */
const uploadPath = /^\d{1,15}\/[0-9a-f]{2}\/[\w-]{24}\/(?!\.{1,2}$)[\p{L}\p{M}\p{N}_.-]{1,300}$/u

export const messageRecords = [
  recordType({
    name: 'message',
    table: 'message',
    about: 'A message in a stream or in a conversation, sorted by id.',
    order: 'r.id',
    inPublic: isPublicMessage('r'),
    fields: {
      id: id('message', 'id of the message'),
      sender_id: id('user', 'its author'),
      recipient_id: id('recipient', 'the stream or conversation in which it is'),
      sent_recipient_id: id('recipient', 'the stream or conversation to which it was sent'),
      arrived_id: id('message', 'position at which it came to its stream: its id unless it was moved'),
      changed_id: optionalId('message', 'position of its last change'),
      outbox_id: id('position', 'its position among events'),
      sent_at: timestamp('when it was sent'),
      edited_at: optionalTimestamp('when its text or topic was last changed'),
      is_private: flag('whether it is in a conversation'),
      mentions_wildcard: flag('whether it mentions all'),
      has_link: flag('whether it has a link'),
      has_image: flag('whether it has a picture'),
      has_attachment: flag('whether it refers to an uploaded file'),
      client: text(1_000, 'program that sent it'),
      topic: text(1_000, 'topic; empty in conversations'),
      content: markdown('the text as it was written'),
      rendered_content: renderedHtml('the text as HTML'),
    },
  }),
  recordType({
    name: 'message_edit',
    table: 'message_edit',
    about: 'An earlier version of a message. Public exports have them if the organization shows them.',
    order: 'r.message_id, r.id',
    inPublic: `${isHistoryShown} and ${ofPublicMessage} and (r.prev_stream_id is null or ${isPublicStream('r.prev_stream_id')})`,
    fields: {
      message_id: id('message', 'the message'),
      user_id: id('user', 'the account that changed it'),
      edited_at: timestamp('when it was changed'),
      prev_topic: optionalText(1_000, 'the topic before, if it changed'),
      prev_content: optionalMarkdown('the text before, if it changed'),
      prev_rendered_content: optionalRenderedHtml('the text before as HTML'),
      prev_stream_id: optionalId('recipient', 'the stream before, if it changed'),
    },
  }),
  recordType({
    name: 'message_stay',
    table: 'message_stay',
    about: 'A stream in which a moved message was earlier.',
    order: 'r.message_id, r.from_id',
    inPublic: `${ofPublicMessage} and ${isPublicStream('r.stream_id')}`,
    fields: {
      message_id: id('message', 'the message'),
      stream_id: id('recipient', 'the stream'),
      from_id: id('message', 'position of the beginning'),
      to_id: id('message', 'position of the end'),
    },
  }),
  recordType({
    name: 'submessage',
    table: 'submessage',
    about: 'The start of a poll or list, or an action in it.',
    order: 'r.message_id, r.id',
    inPublic: ofPublicMessage,
    fields: {
      id: id('message', 'id of the submessage, unique also among messages'),
      message_id: id('message', 'the message'),
      sender_id: id('user', 'the account that acted'),
      msg_type: text(100, 'type'),
      content: specialText(100_000, 'JSON; keys of options and tasks contain ids of the kind `user`'),
    },
  }),
  recordType({
    name: 'reaction',
    table: 'reaction',
    about: 'A reaction to a message.',
    order: 'r.message_id, r.id',
    inPublic: ofPublicMessage,
    fields: {
      message_id: id('message', 'the message'),
      user_id: id('user', 'the account that reacted'),
      reaction_type: text(100, 'type of the emoji'),
      emoji_code: specialText(200, 'code of the emoji; for `realm_emoji` an id of the kind `emoji`'),
      emoji_name: text(200, 'name of the emoji'),
    },
  }),
  recordType({
    name: 'user_message',
    table: 'user_message',
    about:
      'Data of one account about a message, such as a star. Members of a conversation have one for each message.',
    order: 'r.message_id, r.user_id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the account'),
      message_id: id('message', 'the message'),
      is_private: flag('whether the message is in a conversation'),
      is_unread: flag('whether a message of a conversation is unread'),
      is_starred: flag('whether it is starred'),
      is_collapsed: flag('whether it is collapsed'),
      is_mentioned: flag('whether it mentions the account'),
      has_alert_word: flag('whether it has an alert word of the account'),
      is_historical: flag('whether the account got it only by reacting or starring'),
    },
  }),
  recordType({
    name: 'read_mark',
    table: 'read_mark',
    about:
      'An exception to `read_to`: a message of a stream that the account has read above that id, or not read below it.',
    order: 'r.user_id, r.stream_id, r.message_id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the account'),
      stream_id: id('recipient', 'the stream to which the message was sent'),
      message_id: id('message', 'the message'),
      is_read: flag('whether it is read'),
    },
  }),
  recordType({
    name: 'upload',
    table: 'upload',
    about: 'An uploaded file. The file `uploads/<id>` has its content.',
    order: 'r.id',
    inPublic: `exists (
      select from upload_claim c join message m on m.organization_id = r.organization_id and m.id = c.message_id
      where c.organization_id = r.organization_id and c.upload_id = r.id and ${isPublicMessage('m')})`,
    fields: {
      id: id('upload', 'id of the file'),
      owner_id: id('user', 'the account that uploaded it'),
      path_id: special(z.string().regex(uploadPath), 'its path in links, behind `/user_uploads/`'),
      file_name: text(1_000, 'its name'),
      size: integer(0, maxBytes, 'size in bytes'),
      content_type: text(1_000, 'its media type'),
      sha256: special(z.string().regex(/^[0-9a-f]{64}$/), 'checksum of its content'),
      width: optionalInteger(0, maxSide, 'width of a picture'),
      height: optionalInteger(0, maxSide, 'height of a picture'),
      created_at: timestamp('when it was uploaded'),
      unclaimed_since: optionalTimestamp('since when no message, draft or scheduled message refers to it'),
      is_animated: { role: 'plain', schema: z.boolean().nullable(), about: 'whether a picture is animated' },
      is_hidden_from_owner: {
        role: 'plain',
        schema: z.boolean().default(false),
        about: 'whether a bot uploaded it before it got another owner',
      },
    },
  }),
  recordType({
    name: 'upload_claim',
    table: 'upload_claim',
    about: 'A message that refers to an uploaded file.',
    order: 'r.message_id, r.upload_id',
    inPublic: ofPublicMessage,
    fields: { upload_id: id('upload', 'the file'), message_id: id('message', 'the message') },
  }),
  recordType({
    name: 'draft',
    table: 'draft',
    about: 'An unfinished message.',
    order: 'r.id',
    inPublic: false,
    fields: {
      user_id: id('user', 'its author'),
      type: oneOf(['', 'stream', 'private'], 'kind of recipient'),
      recipients: specialIds('a stream, or people: ids of the kind `recipient` or `user`'),
      topic: text(1_000, 'topic'),
      content: markdown('the text'),
      edited_at: integer(0, 2 ** 53 - 1, 'when it was last edited, in seconds'),
    },
  }),
  recordType({
    name: 'scheduled_message',
    table: 'scheduled_message',
    about: 'A message that is sent later, or a reminder.',
    order: 'r.id',
    inPublic: false,
    fields: {
      sender_id: id('user', 'its author'),
      is_reminder: flag('whether only its author gets it'),
      stream_id: optionalId('recipient', 'the stream; null for people'),
      people: {
        role: 'id',
        kind: 'user',
        schema: z.array(z.int().min(0)).max(10_000).nullable(),
        about: 'the people; null for a stream',
      },
      topic: text(1_000, 'topic'),
      content: markdown('the text'),
      rendered_content: renderedHtml('the text as HTML'),
      widget_content: optionalText(100_000, 'JSON of the widget that it starts'),
      client: text(1_000, 'program that scheduled it'),
      is_read_by_sender: flag('whether it is read for its author'),
      deliver_at: timestamp('when it is sent'),
      failure: optionalText(10_000, 'why it could not be sent'),
    },
  }),
]
