import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { maxStreamDescriptionLength, maxStreamNameLength, maxTopicLength } from '../plain/limits.ts'
import { mutedTopicsEvent, subscriptionEvent } from '../subscriptions/events.ts'
import { subscription, unsubscribedStream } from '../subscriptions/shape.ts'
import { defaultStreamGroupsEvent, defaultStreamsEvent, streamEvent } from './events.ts'
import { defaultStreamGroup, stream } from './shape.ts'

const historyText = 'Whether new subscribers can read messages that were sent before they subscribed.'
const descriptionText = `The description of the stream, in Markdown, of up to ${maxStreamDescriptionLength} characters.`

const streamTexts = describeFields(stream, {
  stream_id: texts.streamId,
  name: 'The name of the stream.',
  description: 'The description of the stream, in Markdown.',
  rendered_description: `The description as ${texts.renderedHtml}`,
  invite_only: 'Whether the stream is private.',
  is_web_public: 'Whether anyone may read the stream without an account. Always false.',
  stream_post_policy: texts.postPolicy,
  history_public_to_subscribers: historyText,
  first_message_id: 'The id of the oldest message in the stream. Null if it has none.',
  message_retention_days:
    "The number of days for which messages are kept. Null for the organization's setting, -1 for no limit.",
  is_announcement_only: 'Deprecated. Whether `stream_post_policy` is 2.',
})

const inherited = (what: string) =>
  `Whether messages in the stream ${what}. Null if the account's setting for all streams applies.`

const visibility = {
  stream_weekly_traffic:
    'The average number of messages per week, rounded. Null if the stream is too new for an average.',
  subscribers: 'The ids of the subscribers. Absent unless they were requested and the account may see them.',
}

const unsubscribedTexts = describeFields(unsubscribedStream, { ...streamTexts, ...visibility })
describeFields(subscription, {
  ...unsubscribedTexts,
  color: "The stream's colour in this account, like `#c2c2c2`.",
  is_muted: 'Whether this account has muted the stream.',
  in_home_view: 'Deprecated. The opposite of `is_muted`.',
  pin_to_top: 'Whether this account has pinned the stream to the top of its list.',
  desktop_notifications: inherited('cause desktop notifications'),
  audible_notifications: inherited('cause an audible notification'),
  push_notifications: inherited('cause push notifications to mobile devices'),
  email_notifications: inherited('cause e-mail notifications'),
  wildcard_mentions_notify: inherited('that mention everyone notify like a personal mention'),
  email_address: 'E-mail to this address is posted to the stream. Empty if there is none.',
})

const groupName = 'The name of the group of default streams.'
const groupDescription = 'The description of the group of default streams.'
const groupId = 'The id of the group of default streams.'
describeFields(defaultStreamGroup, {
  id: groupId,
  name: groupName,
  description: groupDescription,
  streams: 'The streams in the group.',
})

describeFields(api.streams.list.response.streams.element, {
  ...streamTexts,
  is_default: 'Whether new users are subscribed to the stream. Present only if `include_default` is true.',
  subscriber_count:
    'The number of active subscribers. Present only if `include_subscriber_counts` is true and the caller may list the subscribers.',
})
describeEndpoint(
  api.streams.list,
  {
    include_public: 'Whether to include all public streams. Has no effect for guests.',
    include_subscribed: 'Whether to include the streams that the caller is subscribed to.',
    include_all_active: 'Whether to include all streams, private ones too. Administrators only.',
    include_default: 'Whether to include the default streams, and the field `is_default` in each stream.',
    include_owner_subscribed:
      "For a bot, whether to include the streams that the bot's owner is subscribed to.",
    include_subscriber_counts:
      'Whether to include the field `subscriber_count` in each stream. This parameter is an extension of this server.',
  },
  { streams: 'The streams, each listed once.' },
)
describeEndpoint(api.streams.getId, { stream: 'The name of the stream.' }, { stream_id: texts.streamId })
describeEndpoint(api.streams.get, { stream_id: texts.streamId }, { stream: 'The requested stream.' })
describeEndpoint(
  api.streams.members,
  { stream_id: texts.streamId },
  { subscribers: 'The ids of the subscribers.' },
)
describeEndpoint(
  api.streams.topics,
  { stream_id: texts.streamId },
  { topics: 'The topics of the stream that the caller may read, the one with the newest message first.' },
)
describeFields(api.streams.topics.response.topics.element, {
  name: 'The topic.',
  max_id: 'The id of the newest message in the topic.',
})
describeEndpoint(
  api.streams.update,
  {
    stream_id: texts.streamId,
    message_retention_days:
      'For how many days messages are kept, `"forever"`, or `"realm_default"` for the setting of the organization. Owners only.',
    description: `${descriptionText} Unchanged if absent.`,
    new_name: `The new name, of up to ${maxStreamNameLength} characters. Unchanged if absent.`,
    is_announcement_only: 'Deprecated. True sets `stream_post_policy` to 2, false sets it to 1.',
    stream_post_policy: `${texts.postPolicy} Unchanged if absent.`,
    is_private: 'Whether the stream is private. Unchanged if absent.',
    history_public_to_subscribers: `${historyText} Ignored unless \`is_private\` is given.`,
  },
  {},
)
describeEndpoint(api.streams.archive, { stream_id: texts.streamId }, {})
describeEndpoint(
  api.streams.deleteTopic,
  { stream_id: texts.streamId, topic_name: 'The topic whose messages are deleted.' },
  {},
)

const names = 'The names of the streams.'
describeEndpoint(api.defaultStreams.add, { stream_id: texts.streamId }, {})
describeEndpoint(api.defaultStreams.remove, { stream_id: texts.streamId }, {})
describeEndpoint(
  api.defaultStreams.createGroup,
  { group_name: groupName, description: groupDescription, stream_names: names },
  { id: 'The id of the new group.' },
)
describeEndpoint(
  api.defaultStreams.updateGroup,
  {
    group_id: groupId,
    new_group_name: 'The new name. Unchanged if absent.',
    new_description: 'The new description. Unchanged if absent.',
  },
  {},
)
describeEndpoint(
  api.defaultStreams.changeGroupStreams,
  {
    group_id: groupId,
    op: '`add` adds the streams to the group, `remove` removes them.',
    stream_names: names,
  },
  {},
)
describeEndpoint(api.defaultStreams.removeGroup, { group_id: groupId }, {})

const streamsToSubscribe =
  'The streams to subscribe to, by name. A stream that does not exist is created with the given description.'
const creation = {
  authorization_errors_fatal:
    'Whether the request fails if the caller may not access one of the streams. If false, such streams are listed in `unauthorized`.',
  announce: 'Whether new streams are announced in the stream that the organization chose for announcements.',
  invite_only: 'Whether streams created by this request are private.',
  stream_post_policy: `For streams created by this request. ${texts.postPolicy}`,
  history_public_to_subscribers: `For private streams created by this request. ${historyText} Null is the same as false.`,
  message_retention_days:
    'For streams created by this request: for how many days messages are kept, `"forever"`, or `"realm_default"`.',
}
const subscribed = {
  subscribed:
    'The names of the streams that users were subscribed to by this request, by address of the user.',
  already_subscribed:
    'The names of the streams that users were subscribed to before, by address of the user.',
  unauthorized:
    'The names of the streams that the caller may not access. Present only if `authorization_errors_fatal` is false.',
}
const removed = {
  removed: 'The names of the streams that users were unsubscribed from.',
  not_removed: 'The names of the streams that the users were not subscribed to.',
}
const principals = (what: string) =>
  `The users to ${what}, as ids or as addresses. The caller if empty or absent.`

for (const streams of [
  api.subscriptions.subscribe.params.subscriptions.schema.element,
  api.subscriptions.change.params.add.schema.unwrap().element,
]) {
  describeFields(streams, {
    name: `The name of the stream, of up to ${maxStreamNameLength} characters.`,
    color: "The stream's colour for the subscribed users, like `#c2c2c2`. Chosen by the server if absent.",
    description: `${descriptionText} Used only if the stream is created.`,
  })
}
describeEndpoint(
  api.subscriptions.list,
  { include_subscribers: 'Whether to include the ids of the subscribers of each stream.' },
  { subscriptions: 'The streams that the caller is subscribed to, with their settings.' },
)
describeEndpoint(
  api.subscriptions.subscribe,
  { subscriptions: streamsToSubscribe, principals: principals('subscribe'), ...creation },
  subscribed,
)
describeEndpoint(
  api.subscriptions.change,
  {
    add: streamsToSubscribe,
    delete: 'The names of the streams to unsubscribe from.',
    principals: principals('subscribe and unsubscribe'),
    ...creation,
  },
  { ...subscribed, ...removed },
)
describeEndpoint(
  api.subscriptions.unsubscribe,
  { subscriptions: names, principals: principals('unsubscribe') },
  removed,
)

const property =
  'The setting: `color`, `is_muted`, `in_home_view`, `pin_to_top`, or one of the notification settings.'
const value =
  'The new value: a colour like `#c2c2c2` for `color`, otherwise a boolean. For a notification setting, null removes the override, so that the setting of the account for all streams applies again. Null is an extension of this server.'
const change = { stream_id: texts.streamId, property, value }
describeFields(api.subscriptions.setProperties.params.subscription_data.schema.element, change)
describeFields(api.subscriptions.setProperties.response.subscription_data.element, change)
describeEndpoint(
  api.subscriptions.setProperties,
  { subscription_data: 'The settings to change, each for one stream.' },
  { subscription_data: 'The settings from the request.' },
)
describeEndpoint(
  api.subscriptions.setProperty,
  { stream_id: texts.streamId, property, value: 'The new value.' },
  { subscription_data: 'The setting from the request.' },
)
describeEndpoint(
  api.subscriptions.status,
  { user_id: texts.userId, stream_id: texts.streamId },
  { is_subscribed: 'Whether the user is subscribed to the stream.' },
)
describeEndpoint(
  api.subscriptions.muteTopic,
  {
    stream: 'The name of the stream. Exactly one of `stream` and `stream_id` is required.',
    stream_id: 'The id of the stream. Exactly one of `stream` and `stream_id` is required.',
    topic: `The topic, of up to ${maxTopicLength} characters.`,
    op: '`add` mutes the topic, `remove` unmutes it.',
  },
  {},
)

const [created, deleted, updated, occupied, vacated] = streamEvent.options
describeEvent(created, {
  op: 'Streams were created, or this account may now see them.',
  streams: 'The streams.',
})
describeFields(created.shape.streams.element, {
  ...unsubscribedTexts,
  stream_weekly_traffic: `${visibility.stream_weekly_traffic} Absent for streams that were just created.`,
  subscribers: 'The ids of the subscribers. Absent for streams that were just created.',
})
describeEvent(deleted, {
  op: 'Streams were archived, or this account may no longer see them.',
  streams: 'The streams.',
})
describeEvent(updated, {
  op: 'A property of a stream changed.',
  stream_id: texts.streamId,
  name: 'The name of the stream before the change.',
  property: 'The property that changed.',
  value: 'The new value of the property.',
  rendered_description: `The new description as ${texts.renderedHtml} Present only if \`property\` is \`description\`.`,
  history_public_to_subscribers: `${historyText} Present only if \`property\` is \`invite_only\`.`,
})
describeEvent(occupied, {
  op: 'Streams that had no subscribers got their first subscriber.',
  streams: 'The streams.',
})
describeEvent(vacated, { op: 'Streams lost their last subscriber.', streams: 'The streams.' })
describeEvent(defaultStreamsEvent, { default_streams: 'All default streams, after the change.' })
describeEvent(defaultStreamGroupsEvent, {
  default_stream_groups: 'All groups of default streams, after the change.',
})

const [subscribedTo, unsubscribedFrom, settingChanged, peerAdded, peerRemoved] = subscriptionEvent.options
describeEvent(subscribedTo, {
  op: 'This account was subscribed to streams.',
  subscriptions: 'The streams, with the settings of this account. `subscribers` is always present.',
})
describeEvent(unsubscribedFrom, {
  op: 'This account was unsubscribed from streams.',
  subscriptions: 'The streams.',
})
describeFields(unsubscribedFrom.shape.subscriptions.element, {
  name: 'The name of the stream.',
  stream_id: texts.streamId,
})
describeEvent(settingChanged, {
  op: 'This account changed a setting of a subscription.',
  stream_id: texts.streamId,
  name: 'The name of the stream.',
  email: 'The API address of this account.',
  property: 'The setting that changed.',
  value:
    'The new value of the setting. Null if the setting of the account applies again; clients without the capability `notification_settings_null` get the value that applies.',
})
describeEvent(peerAdded, {
  op: 'Another user was subscribed to a stream.',
  stream_id: texts.streamId,
  user_id: 'The id of the new subscriber.',
})
describeEvent(peerRemoved, {
  op: 'Another user was unsubscribed from a stream.',
  stream_id: texts.streamId,
  user_id: 'The id of the former subscriber.',
})
describeEvent(mutedTopicsEvent, {
  muted_topics:
    'All muted topics of this account, after the change. Each is a list of the name of the stream, the topic, and the time of muting in seconds.',
})
