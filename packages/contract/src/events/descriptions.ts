import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields, type Texts } from '../kernel/describe.ts'
import { organizationStateTexts } from '../organization/descriptions.ts'
import { maxStarredMessages } from '../plain/limits.ts'
import { presences } from '../presence/shape.ts'
import { displayTexts, notificationTexts } from '../settings/descriptions.ts'
import { heartbeatEvent } from './event.ts'
import { initialState } from './initial-state.ts'

const stateTexts: Texts<typeof initialState> = {
  ...organizationStateTexts,
  realm_users: 'All active users and bots, ordered by id.',
  realm_non_active_users: 'All deactivated users and bots, ordered by id.',
  cross_realm_bots: 'The bots of the server, which belong to no organization.',
  user_id: 'The id of this account.',
  email: 'The API address of this account.',
  delivery_email: 'The real e-mail address of this account.',
  full_name: 'The full name of this account.',
  avatar_source: texts.avatarSource,
  avatar_url: "The URL of this account's avatar, 100 pixels wide.",
  avatar_url_medium: "The URL of this account's avatar, 500 pixels wide.",
  is_admin: 'Whether this account is an administrator. True for owners too.',
  is_owner: 'Whether this account is an owner of the organization.',
  is_guest: 'Whether this account is a guest.',
  can_create_streams: 'Whether this account may create streams.',
  can_subscribe_other_users: 'Whether this account may subscribe other users to streams.',
  enter_sends: 'Whether the Enter key sends a message instead of starting a new line.',
  realm_bots: 'The bots that this account owns; for administrators all bots. Ordered by id.',
  custom_profile_fields: 'The custom profile fields of the organization, in their order.',
  custom_profile_field_types: 'The types of custom profile fields, by name.',
  realm_emoji: 'All custom emoji that the organization ever had, by id.',
  realm_user_groups: 'The user groups, ordered by id. Empty for guests.',
  realm_domains: 'The domains that e-mail addresses may have, ordered by name.',
  realm_filters:
    'The linkifiers, in the order in which they are tried. Each is a list of its pattern, its URL format and its id.',
  ...displayTexts,
  emojiset_choices: 'The sets of pictures for emoji that can be chosen.',
  ...notificationTexts,
  available_notification_sounds: 'The names of the notification sounds that can be chosen.',
  alert_words: 'The alert words of this account, in the order in which they were added.',
  hotspots: 'The next hotspot to show. Empty if there are no more.',
  user_status: 'The status of active users who set one, by user id.',
  streams: 'The public streams and those that this account is subscribed to, ordered by name.',
  stream_name_max_length: 'The maximum length of the name of a stream, in characters.',
  stream_description_max_length: 'The maximum length of the description of a stream, in characters.',
  realm_default_streams: 'The streams that new users are subscribed to.',
  realm_default_stream_groups: 'The groups of default streams that new users can choose from.',
  subscriptions: 'The streams that this account is subscribed to, ordered by name.',
  unsubscribed: 'The streams that this account was subscribed to before.',
  never_subscribed: 'The other streams that this account may see.',
  muted_topics:
    'The muted topics of this account. Each is a list of the name of the stream, the topic, and the time of muting in seconds.',
  max_message_id: 'The id of the newest message that this account received. -1 if there is none.',
  unread_msgs: 'The unread messages of this account.',
  starred_messages: `The ids of the starred messages, ascending. At most the lowest ${maxStarredMessages}.`,
  recent_private_conversations: 'The private conversations, the one with the newest message first.',
  drafts: 'The drafts of this account, the most recently edited first.',
  scheduled_messages: 'The scheduled messages and reminders of this account, ordered by their time and id.',
  presences: presences.description,
  realm_embedded_bots: 'Always empty: embedded bots cannot be created.',
  realm_incoming_webhook_bots: 'The services that incoming webhooks can be created for.',
  stop_words: 'Words, in lower case, that a search ignores if it has other words.',
  has_zoom_token: 'Always false: video calls with Zoom are not offered.',
}

const ifRequested = 'Absent if its type was not requested.'
const registerTexts = Object.fromEntries(
  Object.entries(stateTexts).map(([name, text]) => [name, `${text} ${ifRequested}`]),
) as typeof stateTexts

describeFields(initialState.custom_profile_field_types.unwrap().valueType, {
  id: 'The number of the type.',
  name: 'The display name of the type.',
})
describeFields(initialState.emojiset_choices.unwrap().element, {
  key: 'The name of the set in requests.',
  text: 'The display name of the set.',
})
for (const offered of [initialState.realm_embedded_bots, initialState.realm_incoming_webhook_bots]) {
  describeFields(offered.unwrap().element, {
    name: 'The name of the service.',
    config: 'The configuration that its bots need, by key.',
  })
}

const options = {
  apply_markdown: texts.applyMarkdown,
  client_external_avatar: texts.clientExternalAvatar,
  slim_presence: 'Whether presence is returned by user id, in a compact form.',
  event_types: 'The types of events that the queue receives. All types if null or absent.',
  all_public_streams:
    'Whether the queue also receives messages of public streams that the account is not subscribed to.',
  include_subscribers: 'Whether streams are returned with the ids of their subscribers.',
  client_capabilities: 'The capabilities of the client. Capabilities that are not listed are false.',
  fetch_event_types:
    'The parts of the state to return. If null or absent, the parts for `event_types`; if that is absent too, all parts.',
  narrow:
    'Pairs of operator and operand, like `["stream", "garden"]`. The queue receives only messages that match all of them.',
  queue_lifespan_secs:
    'For how many seconds the queue is kept while it is not polled. Ten minutes if 0 or absent.',
}
for (const endpoint of [api.events.register, api.events.poll]) {
  describeFields(endpoint.params.client_capabilities.schema.unwrap(), {
    notification_settings_null:
      'The client understands null in notification settings of streams. Otherwise they are always booleans.',
    bulk_message_deletion: 'The client understands `delete_message` events for several messages at once.',
    user_avatar_url_field_optional: 'The client does not need `avatar_url` of every user.',
    user_list_on_demand:
      'The client does not need a list of users: `realm_users` contains only this account, `realm_non_active_users` is empty, and presence is in the compact form of `slim_presence`. Events are still sent for all users.',
  })
}

describeFields(api.events.register.response.fetch_messages_error.unwrap(), {
  name: 'The name of the error, as in errors of requests with a session.',
  msg: 'A description of the error, to be shown to users.',
})
const fetchMessages =
  'Messages to return together with the state, with the options of `GET /messages`. `apply_markdown` and `client_external_avatar` apply to them too.'
describeEndpoint(
  api.events.register,
  { ...options, fetch_messages: fetchMessages },
  {
    queue_id: 'The id of the new event queue.',
    last_event_id: 'The id to poll from. The state includes all events up to it.',
    chat_version: texts.chatVersion,
    chat_feature_level: texts.chatFeatureLevel,
    server_version: texts.serverVersion,
    zulip_version: texts.zulipVersion,
    zulip_feature_level: texts.zulipFeatureLevel,
    zulip_plan_is_not_limited:
      'The same as `chat_plan_is_not_limited`, under an older name. Absent for clients known not to need it.',
    ...registerTexts,
    fetched_messages:
      'The messages that `fetch_messages` requested, consistent with the state: every message that matches the narrow is in this list, is outside its range, or arrives as an event. Absent if they were not requested or could not be read.',
    fetch_messages_error:
      'The error that `GET /messages` would return for `fetch_messages`. The queue and the state are valid. Absent if there was no error.',
  },
)
describeEndpoint(
  api.events.poll,
  {
    queue_id: `${texts.queueId} If absent, this call opens a queue with the options below.`,
    last_event_id: 'The highest event id that the client received. Events up to it are discarded.',
    dont_block: 'Whether to respond immediately, even if there are no events.',
    expected_user_id:
      'With a session, the account that it must belong to, like the header `Expected-User-Id`, which an `EventSource` cannot send. The session of another account is refused with `OTHER_ACCOUNT`.',
    ...options,
  },
  {
    events: 'The events after `last_event_id`, ordered by id.',
    queue_id: texts.queueId,
    last_event_id: 'The id to poll from. Present only if this call opened the queue.',
  },
)
describeEndpoint(api.events.deleteQueue, { queue_id: texts.queueId }, {})
describeEvent(heartbeatEvent, {})
