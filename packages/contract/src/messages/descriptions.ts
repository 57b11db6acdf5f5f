import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { maxContentBytes, maxMessagesPerFetch, maxTopicLength } from '../plain/limits.ts'
import { typingEvent } from '../typing/events.ts'
import {
  maxConversationsPerFetch,
  maxListedSenders,
  messagesForSenders,
  privateConversation,
  topicConversation,
} from './conversation.ts'
import {
  messageDeletionEvent,
  messageFlagsEvent,
  messageUpdateEvent,
  newMessageEvent,
  reactionEvent,
  submessageEvent,
  unreadDetails,
} from './events.ts'
import { messageFetch } from './message-page.ts'
import { narrowTerm } from './narrow.ts'
import {
  announcedMessage,
  editHistoryEntry,
  fetchedMessage,
  messageSnapshot,
  participant,
  privateMessage,
  reaction,
  streamMessage,
  submessage,
} from './shape.ts'
import {
  recentPrivateConversation,
  unreadHuddle,
  unreadMessages,
  unreadPrivate,
  unreadStreamTopic,
} from './unread.ts'
import { maxSubmessageBytes, maxSubmessageTypeLength } from './widget.ts'

const emojiName = 'The name of the emoji, without colons.'
const emojiCode =
  'Identifies the emoji: its Unicode code points in hexadecimal, the id of a custom emoji, or `chat`. Several names may have one code.'
const reacted = {
  emoji_name: emojiName,
  emoji_code: emojiCode,
  reaction_type:
    'Where the emoji comes from: Unicode, the custom emoji of the organization, or the emoji that the server adds. Clients that know only the older name `zulip_extra_emoji` get that for the last one.',
}
const reactingUser = 'Deprecated. The user who reacted; use `user_id`.'
describeFields(reaction, { ...reacted, user_id: 'The id of the user who reacted.', user: reactingUser })
describeFields(reaction.shape.user, { id: texts.userId, email: texts.email, full_name: texts.fullName })

const submessageType = 'The type of the submessage, `widget` for polls and to-do lists.'
const submessageContent = 'The content, as JSON text.'
const submessageFields = {
  message_id: texts.messageId,
  sender_id: 'The id of the user who sent the submessage.',
  msg_type: submessageType,
  content: submessageContent,
}
describeFields(submessage, { id: 'The id of the submessage.', ...submessageFields })

const renderVersion =
  'The version of the renderer that made the previous HTML. Present only if the content changed.'
describeFields(editHistoryEntry, {
  user_id: 'The id of the user who edited the message.',
  timestamp: 'When the message was edited, in seconds since 1970-01-01 UTC.',
  prev_content: 'The previous Markdown source. Present only if the content changed.',
  prev_rendered_content: 'The previous content as HTML. Present only if the content changed.',
  prev_rendered_content_version: renderVersion,
  prev_subject: 'The previous topic. Present only if the topic changed.',
  prev_stream: 'The id of the previous stream. Present only if the message was moved to another stream.',
})

describeFields(participant, {
  id: texts.userId,
  email: texts.email,
  full_name: texts.fullName,
  is_mirror_dummy: 'Always false: no accounts are mirrored from other systems.',
})

const common = {
  id: texts.messageId,
  sender_id: 'The id of the sender.',
  sender_email: "The sender's API address.",
  sender_full_name: "The sender's full name.",
  sender_realm_str: "The subdomain of the sender's organization.",
  avatar_url:
    "The URL of the sender's avatar. Null where the client asked to compute external avatar URLs itself.",
  client: 'The name of the program that sent the message.',
  content: 'The content: HTML or Markdown source, as `content_type` says.',
  content_type: '`text/html` for HTML, `text/x-markdown` for Markdown source.',
  topic_links: 'The URLs that the linkifiers of the organization found in the topic.',
  timestamp: 'When the message was sent, in seconds since 1970-01-01 UTC.',
  recipient_id: 'Identifies the stream or the set of people that the message was sent to.',
  is_me_message: 'Whether the message begins with `/me `.',
  reactions: 'The reactions to the message.',
  submessages: 'The parts of an interactive message, ordered by id.',
  last_edit_timestamp:
    'When the message was last edited, in seconds since 1970-01-01 UTC. Absent if it never was.',
  edit_history:
    'The newest edits, newest first; all of them are in the history of the message. Absent if there are none or the organization hides the edit history.',
}
const streamTexts = describeFields(streamMessage, {
  ...common,
  type: 'The message was sent to a stream.',
  stream_id: texts.streamId,
  display_recipient: 'The name of the stream.',
  topic: texts.topic,
  subject: 'Deprecated. The same as `topic`.',
})
const privateTexts = describeFields(privateMessage, {
  ...common,
  type: 'The message was sent to people.',
  display_recipient:
    'All people in the conversation, including the sender, ordered by address if there are two and by id otherwise.',
  subject: 'Always empty.',
})

const flags = 'The flags that the message has for this account, such as `read`, `starred` and `mentioned`.'
const fetched = {
  flags,
  match_content:
    'The content as HTML, with matches in `<span class="highlight">`. Present only if the narrow has a search.',
  match_subject:
    'The topic as HTML, with matches in `<span class="highlight">`. Present only if the narrow has a search.',
}
describeFields(fetchedMessage.options[0], { ...streamTexts, ...fetched })
describeFields(fetchedMessage.options[1], { ...privateTexts, ...fetched })
const echoed = {
  local_id:
    'The `local_id` that the message was sent with. Present only in the queue that the request named as `queue_id`.',
}
describeFields(announcedMessage.options[0], { ...streamTexts, ...echoed })
describeFields(announcedMessage.options[1], { ...privateTexts, ...echoed })

describeFields(messageSnapshot, {
  topic: 'The topic after this edit.',
  content: 'The Markdown source after this edit.',
  rendered_content: 'The content after this edit, as HTML.',
  timestamp: 'When the message was sent or edited, in seconds since 1970-01-01 UTC.',
  user_id: 'The id of the user who sent or edited the message.',
  prev_topic: 'The previous topic. Present only if the topic changed.',
  prev_content: 'The previous Markdown source. Present only if the content changed.',
  prev_rendered_content: 'The previous content as HTML. Present only if the content changed.',
  content_html_diff:
    'The differences to the previous content, as HTML. Present only if the content changed. If the versions are very long, only the newest are compared; the others have `rendered_content` here.',
  prev_stream: 'The id of the previous stream. Present only if the message was moved to another stream.',
})

describeFields(narrowTerm, {
  operator: 'What the condition is about, such as `stream`, `topic`, `sender` or `search`.',
  operand: 'The value to compare with: a text, an id, or a list of user ids.',
  negated: 'Whether messages must not meet the condition.',
})

const unreadIds = 'The ids of the unread messages, ascending.'
const others = 'The ids of the other people in the conversation, ascending. Empty for messages to oneself.'
describeFields(unreadStreamTopic, {
  stream_id: texts.streamId,
  topic: 'The topic.',
  unread_message_ids: unreadIds,
  sender_ids: 'The ids of the users who sent the unread messages, ascending.',
})
describeFields(unreadPrivate, {
  sender_id:
    "The id of the other person in the conversation, or the account's own id for messages to oneself.",
  unread_message_ids: unreadIds,
})
describeFields(unreadHuddle, {
  user_ids_string: 'The ids of everyone in the conversation, ascending and separated by commas: `3,7,12`.',
  unread_message_ids: unreadIds,
})
describeFields(unreadMessages, {
  count: 'The number of unread messages, without those in muted streams and topics.',
  pms: 'Unread messages in conversations of two people, ordered by `sender_id`.',
  streams:
    'Unread messages in streams, ordered by `stream_id` and topic. Topics that differ only in case are listed separately.',
  huddles: 'Unread messages in conversations of three or more people, ordered by `user_ids_string`.',
  mentions:
    'The ids of unread messages that mention the account, and of those in `wildcard_mentions` that are not muted.',
  wildcard_mentions:
    'The ids of unread messages that mention everyone but not the account itself, muted or not.',
})
describeFields(recentPrivateConversation, {
  max_message_id: 'The id of the newest message in the conversation.',
  user_ids: others,
})

const content = `The Markdown source, of up to ${maxContentBytes} bytes. A longer text is refused if the sender is a person, and truncated if it is a bot.`
const newTopic = `up to ${maxTopicLength} characters. A longer topic is refused if the sender is a person, and truncated if it is a bot.`
describeEndpoint(
  api.messages.send,
  {
    type: '`stream` for a message to a stream, `private` for one to people. The later names `channel` and `direct` are accepted.',
    to: 'For a stream message, the name or the id of the stream; a stream named `42` is written `"42"`. For a private message, a list of user ids or of addresses.',
    forged: 'Always refused. Nobody may send messages in the name of others.',
    topic: `The topic of a stream message, of ${newTopic}`,
    content,
    widget_content: 'JSON text that describes an interactive message.',
    realm_str: "The subdomain of the caller's organization. Another one is refused.",
    local_id:
      'An identifier that the client chooses. The `message` event in the queue `queue_id` repeats it.',
    queue_id: 'The id of the event queue that gets `local_id` back.',
    read_by_sender:
      'Whether the message is marked as read for its sender. By default it is if the sending program is an interactive client.',
    delivery_type:
      '`send_later` schedules the message; `remind` schedules a private message of the notification bot to the sender. All other values send the message immediately.',
    deliver_at:
      'When to deliver a scheduled message: ISO 8601, a date as people write it, or Unix seconds. Required with `send_later` and `remind`.',
    tz_guess:
      "The time zone of a `deliver_at` without a time zone, such as `Europe/Berlin`. By default the one in the sender's profile, otherwise UTC.",
    sender: 'Always refused. It is meant for mirrors of other systems.',
  },
  {
    id: 'The id of the new message. Absent if the message was scheduled.',
    deliver_at:
      'When the message will be delivered, with the offset of its time zone. Present only if the message was scheduled.',
  },
)
const anchorText =
  'The id of a message, `newest`, `oldest`, `first_unread`, or `date` for the first message of the narrow that was sent at `anchor_date` or later. Without such a message, `first_unread` and `date` are the same as `newest`.'
const fetchTexts = {
  narrow: texts.narrowTerms,
  anchor_date:
    'A time with its offset, as in ISO 8601: `2026-03-01T00:00:00Z`. Required with `anchor=date`, otherwise ignored.',
  num_before: `How many messages before the anchor to return. At most ${maxMessagesPerFetch} together with \`num_after\`.`,
  num_after: `How many messages after the anchor to return. At most ${maxMessagesPerFetch} together with \`num_before\`.`,
}
const messagePageTexts = {
  messages:
    'The messages, ordered by id. They have at most 8 MB together: a page with more has only the messages nearest to the anchor.',
  anchor: 'The id that was used as the anchor: 0 for `oldest`, 10000000000000000 for `newest`.',
  found_anchor: 'Whether the message with the id of the anchor is in the list.',
  found_oldest:
    'Whether the list includes the oldest message of the narrow. If not, ask for messages before the first one.',
  found_newest:
    'Whether the list includes the newest message of the narrow. If not, ask for messages after the last one.',
  history_limited: 'Whether a limit of the plan hides older messages. Always false.',
}
describeFields(messageFetch, { ...fetchTexts, anchor: anchorText })
describeFields(api.events.register.response.fetched_messages.unwrap(), messagePageTexts)
describeEndpoint(
  api.messages.list,
  {
    ...fetchTexts,
    anchor: `${anchorText} Required unless \`use_first_unread_anchor\` is true.`,
    use_first_unread_anchor: 'Deprecated. True is the same as `anchor=first_unread`.',
    client_external_avatar: texts.clientExternalAvatar,
    apply_markdown: texts.applyMarkdown,
  },
  messagePageTexts,
)
const conversationTexts = {
  max_message_id: 'The id of the newest message that the account received in the conversation.',
  timestamp: 'When that message was sent, in seconds since 1970-01-01 UTC.',
  sender_ids: `The ids of the users who sent the newest ${messagesForSenders} messages of the conversation, the most recent sender first, at most ${maxListedSenders}.`,
}
describeFields(topicConversation, {
  type: 'The kind of conversation: a topic of a stream.',
  stream_id: texts.streamId,
  topic: 'The topic, as the newest message spells it.',
  ...conversationTexts,
})
describeFields(privateConversation, {
  type: 'The kind of conversation: private messages.',
  user_ids: 'The ids of the other people in the conversation, ascending. Empty for messages to oneself.',
  ...conversationTexts,
})
describeEndpoint(
  api.messages.conversations,
  {
    before:
      'Returns only conversations whose newest message has a lower id. To get the next page, use `next_before` of the previous one. If absent, the first page is returned.',
    limit: `How many conversations to return, at most ${maxConversationsPerFetch}. A page may have fewer even if there are older conversations.`,
  },
  {
    conversations: 'The conversations, the one with the newest message first.',
    found_oldest: 'Whether there are no older conversations.',
    next_before: 'The `before` of the next page. Absent if there are no older conversations.',
  },
)
describeEndpoint(
  api.messages.matchesNarrow,
  {
    msg_ids: 'The ids of the messages to test.',
    narrow: `${texts.narrowTerms} An empty list matches every message.`,
  },
  { messages: 'The messages that match the narrow, by id. Messages that do not match are absent.' },
)
describeFields(api.messages.matchesNarrow.response.messages.valueType, {
  match_content: 'The content as HTML, with matches in `<span class="highlight">`.',
  match_subject: 'The topic as HTML, with matches in `<span class="highlight">`.',
})
describeEndpoint(
  api.messages.getRaw,
  { message_id: texts.messageId, apply_markdown: texts.applyMarkdown },
  { raw_content: 'The Markdown source of the message.', message: 'The message.' },
)
describeEndpoint(
  api.messages.edit,
  {
    message_id: texts.messageId,
    stream_id: 'The id of the stream to move the message to. If absent, the message stays in its stream.',
    topic: `The new topic, of ${newTopic} Unchanged if absent.`,
    propagate_mode:
      'Which messages a new topic or stream applies to: `change_one` only this message, `change_later` also later messages in its topic, `change_all` the whole topic.',
    send_notification_to_old_thread: 'Whether a move to another stream is announced in the old topic.',
    send_notification_to_new_thread: 'Whether a move to another stream is announced in the new topic.',
    content: `${content} Unchanged if absent.`,
  },
  {},
)
describeEndpoint(api.messages.remove, { message_id: texts.messageId }, {})
describeEndpoint(
  api.messages.history,
  { message_id: texts.messageId },
  {
    message_history:
      'The message as it was sent and after each edit, oldest first. Only the newest versions if there are more than edits may make.',
  },
)
describeEndpoint(
  api.messages.changeFlags,
  {
    messages: 'The ids of the messages.',
    op: '`add` sets the flag, `remove` clears it.',
    flag: '`read`, `starred` or `collapsed`.',
  },
  { messages: 'The ids from the request.' },
)
describeEndpoint(
  api.messages.addReaction,
  {
    message_id: texts.messageId,
    emoji_name: emojiName,
    emoji_code: `${emojiCode} Derived from the name if absent.`,
    reaction_type:
      '`unicode_emoji`, `realm_emoji` for a custom emoji, or `chat_extra_emoji`. Derived from the name if absent.',
  },
  {},
)
describeEndpoint(
  api.messages.removeReaction,
  {
    message_id: texts.messageId,
    emoji_name: `${emojiName} Required unless \`emoji_code\` is given.`,
    emoji_code: `${emojiCode} Derived from the name if absent.`,
    reaction_type:
      '`unicode_emoji`, `realm_emoji` or `chat_extra_emoji`. It is not derived from the name, so it is required for custom emoji.',
  },
  {},
)
describeEndpoint(
  api.messages.addSubmessage,
  {
    message_id: texts.messageId,
    msg_type: `${submessageType} At most ${maxSubmessageTypeLength} characters.`,
    content: `${submessageContent} At most ${maxSubmessageBytes} bytes.`,
  },
  {},
)
describeEndpoint(api.messages.render, { content: 'The Markdown source.' }, { rendered: 'The rendered HTML.' })
describeEndpoint(api.messages.markAllRead, {}, {})
describeEndpoint(api.messages.markStreamRead, { stream_id: texts.streamId }, {})
describeEndpoint(
  api.messages.markTopicRead,
  { stream_id: texts.streamId, topic_name: 'The topic. If it is blank, the whole stream is marked as read.' },
  {},
)

describeEvent(newMessageEvent, {
  message: 'The new message.',
  flags,
  local_message_id: "Deprecated. The same as the message's `local_id`.",
})
const ifContentChanged = 'Present only if the content changed.'
const ifMoved = 'Present only if the topic or the stream changed.'
describeEvent(messageUpdateEvent, {
  user_id: 'The id of the user who edited the message. Absent if the server rendered the message again.',
  edit_timestamp:
    'When `message_id` was edited, in seconds since 1970-01-01 UTC. Absent if the server rendered the message again, and if the edited message is not in this event, because the account cannot see it or another event lists it.',
  rendering_only:
    'True if the server rendered the message again, to add previews of linked pages. This is not an edit: clients show the new HTML and nothing else.',
  sender: "The API address of the message's sender. Present only if the server rendered the message again.",
  message_id:
    'The id of the edited message or, if this event does not list that message, of the first message that was moved with it.',
  message_ids: 'The ids of all messages that changed, `message_id` first.',
  flags: 'The flags that `message_id` has for this account after the edit.',
  stream_name:
    'The name of the stream before the change. Guests who may not see that name get the name of the new stream. Absent for private messages.',
  content: `The new Markdown source. ${ifContentChanged}`,
  rendered_content: `The new content as HTML. ${ifContentChanged}`,
  orig_content: `The previous Markdown source. ${ifContentChanged}`,
  orig_rendered_content: `The previous content as HTML. ${ifContentChanged}`,
  prev_rendered_content_version: renderVersion,
  is_me_message: `Whether the new content begins with \`/me \`. ${ifContentChanged}`,
  stream_id: `The id of the stream before the change. ${ifMoved}`,
  orig_subject: `The topic before the change. ${ifMoved}`,
  propagate_mode: `Which messages of the topic were changed with this one. ${ifMoved}`,
  subject: 'The new topic. Present only if the topic changed.',
  topic_links: 'The URLs that linkifiers found in the new topic. Present only if the topic changed.',
  new_stream_id: 'The id of the new stream. Present only if the messages were moved to another stream.',
})

const deleted = {
  message_ids:
    'The ids of the deleted messages. Present only for clients with the capability `bulk_message_deletion`.',
  message_id:
    'The id of the deleted message. Present for all other clients, which get one event for each message.',
}
const [streamDeletion, privateDeletion] = messageDeletionEvent.options
describeEvent(streamDeletion, {
  message_type: 'The deleted messages were in a stream.',
  ...deleted,
  stream_id: texts.streamId,
  topic: 'The topic that the messages were in.',
})
describeEvent(privateDeletion, {
  message_type: 'The deleted messages were private.',
  ...deleted,
  recipient_id: 'Identifies the set of people in the conversation.',
})

const mentions = {
  mentioned: 'The message mentions this account. Absent otherwise.',
  wildcard_mentioned: 'The message mentions everyone. Absent otherwise.',
}
describeFields(unreadDetails.options[0], {
  type: 'The message was sent to a stream.',
  stream_id: texts.streamId,
  topic: texts.topic,
  sender_id: 'The id of the sender.',
  ...mentions,
})
describeFields(unreadDetails.options[1], {
  type: 'The message was sent to people.',
  user_ids: others,
  sender_id: 'The id of the sender.',
  ...mentions,
})
describeEvent(messageFlagsEvent, {
  operation: 'Whether the flag was set (`add`) or cleared (`remove`).',
  flag: 'The flag.',
  messages: 'The ids of the messages. Empty if `all` is true.',
  all: 'Whether the change applies to all messages of this account.',
  message_details:
    'The conversations of the messages that became unread, by message id. Present only if the flag `read` was cleared.',
})
describeEvent(reactionEvent, {
  op: 'Whether the reaction was added or removed.',
  message_id: texts.messageId,
  ...reacted,
  user_id: 'The id of the user who reacted.',
  user: reactingUser,
})
describeFields(reactionEvent.shape.user, {
  user_id: texts.userId,
  email: texts.email,
  full_name: texts.fullName,
})

describeEvent(submessageEvent, { submessage_id: 'The id of the submessage.', ...submessageFields })

const typingOperation = '`start` when the user starts typing, `stop` when the user stops.'
describeEvent(typingEvent, {
  op: typingOperation,
  sender: 'The user who is typing.',
  recipients: 'All people in the conversation, including the sender.',
})
describeFields(typingEvent.shape.sender, { user_id: texts.userId, email: texts.email })
describeEndpoint(
  api.typing.tell,
  { op: typingOperation, to: 'The ids of the users in the conversation.' },
  {},
)
describeEndpoint(
  api.typing.tellShort,
  {
    op: typingOperation,
    to: 'The ids or the addresses of the users in the conversation. A text is a single address.',
  },
  {},
)
