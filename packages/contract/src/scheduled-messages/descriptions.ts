import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { maxContentBytes, maxTopicLength } from '../plain/limits.ts'
import { scheduledMessagesEvent } from './events.ts'
import { scheduledPrivateMessage, scheduledStreamMessage } from './shape.ts'

const id = 'The id of the scheduled message.'
const common = {
  scheduled_message_id: id,
  type: 'Whether the message is sent to a stream or to people.',
  delivery_type:
    '`send_later` for a message, `remind` for a reminder, which the notification bot sends to its author only.',
  content: 'The Markdown source.',
  rendered_content:
    'The content as HTML, as it would look if the message was sent now. It is rendered again when the message is sent.',
  scheduled_delivery_timestamp: 'When the message is due, in seconds since 1970-01-01 UTC.',
  failed:
    'Whether the message was refused when it was due. It stays in the list until it is changed or deleted.',
  failure_message: 'Why the message was refused. Present only if `failed` is true.',
}
describeFields(scheduledStreamMessage, {
  ...common,
  to: 'The id of the stream.',
  topic: texts.topic,
})
describeFields(scheduledPrivateMessage, {
  ...common,
  to: 'The ids of the recipients, without the sender. For a message to oneself, the id of the sender.',
})

const [added, updated, removed] = scheduledMessagesEvent.options
describeEvent(added, { op: texts.operation, scheduled_messages: 'The new scheduled messages.' })
describeEvent(updated, { op: texts.operation, scheduled_message: 'The whole message after the change.' })
describeEvent(removed, { op: texts.operation, scheduled_message_id: id })

const type = '`stream` or `private`. The later names `channel` and `direct` are accepted.'
const to =
  'For a stream message, the id or the name of the stream. For a private message, a list of user ids or of addresses.'
const content = `The Markdown source, of up to ${maxContentBytes} bytes. A longer text is refused if the sender is a person, and truncated if it is a bot.`
const topic = `The topic of a stream message, of up to ${maxTopicLength} characters.`
const time = 'When to send the message, in seconds since 1970-01-01 UTC. It must be in the future.'

describeEndpoint(
  api.scheduledMessages.list,
  {},
  { scheduled_messages: 'The scheduled messages and reminders, ordered by their time and id.' },
)
describeEndpoint(
  api.scheduledMessages.create,
  {
    type,
    to,
    content,
    topic,
    scheduled_delivery_timestamp: time,
    read_by_sender:
      'Whether the sent message is marked as read for its sender. By default it is if the scheduling program is an interactive client.',
  },
  { scheduled_message_id: id },
)
describeEndpoint(
  api.scheduledMessages.edit,
  {
    scheduled_message_id: id,
    type: `${type} Requires \`to\`, and \`topic\` for \`stream\`.`,
    to,
    content,
    topic,
    scheduled_delivery_timestamp: `${time} Required if the message was refused before.`,
  },
  {},
)
describeEndpoint(api.scheduledMessages.remove, { scheduled_message_id: id }, {})
