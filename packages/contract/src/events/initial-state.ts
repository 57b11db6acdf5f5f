import { z } from 'zod'
import { alertWords } from '../alert-words/shape.ts'
import { bot } from '../bots/shape.ts'
import { domains } from '../domains/shape.ts'
import { draft } from '../drafts/shape.ts'
import { customEmojiById } from '../emoji/shape.ts'
import { hotspot } from '../hotspots/shape.ts'
import { messageId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object, optionalFields } from '../kernel/field.ts'
import { linkifiers } from '../linkifiers/shape.ts'
import { recentPrivateConversation, unreadMessages } from '../messages/unread.ts'
import { mutedUsers } from '../muted-users/shape.ts'
import { organizationState } from '../organization/shape.ts'
import { maxStarredMessages } from '../plain/limits.ts'
import { presences } from '../presence/shape.ts'
import { profileField } from '../profile-fields/shape.ts'
import { scheduledMessage } from '../scheduled-messages/shape.ts'
import { displayState, emojisets, notificationState } from '../settings/shape.ts'
import { streamFolder } from '../stream-folders/shape.ts'
import { streamSection } from '../stream-sections/shape.ts'
import { defaultStreamGroup, stream } from '../streams/shape.ts'
import { mutedTopic, subscription, unsubscribedStream, userTopic } from '../subscriptions/shape.ts'
import { userGroup } from '../user-groups/shape.ts'
import { statusByUser } from '../user-status/shape.ts'
import { user } from '../users/shape.ts'

/**
 * A user in the initial state. Active and deactivated users are in separate lists, so `is_active`
 * is absent.
 */
export const listedUser = user.omit({ is_active: true })
export type ListedUser = z.infer<typeof listedUser>

const people = {
  realm_users: field(z.array(listedUser), 'All active users and bots, ordered by id.'),
  realm_non_active_users: field(z.array(listedUser), 'All deactivated users and bots, ordered by id.'),
  cross_realm_bots: field(
    z.array(
      user.extend({
        is_cross_realm_bot: field(
          z.literal(true),
          'Always true: the bot belongs to the server, not to the organization.',
        ),
      }),
    ),
    'The bots of the server, which belong to no organization.',
  ),
  user_id: field(userId, 'The id of this account.'),
  email: field(z.string(), 'The API address of this account.'),
  delivery_email: field(z.string(), 'The real e-mail address of this account.'),
  full_name: field(z.string(), 'The full name of this account.'),
  avatar_source: field(z.literal(['G', 'U']), texts.avatarSource),
  avatar_url: field(z.string(), "The URL of this account's avatar, 100 pixels wide."),
  avatar_url_medium: field(z.string(), "The URL of this account's avatar, 500 pixels wide."),
  is_admin: field(z.boolean(), 'Whether this account is an administrator. True for owners too.'),
  is_owner: field(z.boolean(), 'Whether this account is an owner of the organization.'),
  is_guest: field(z.boolean(), 'Whether this account is a guest.'),
  can_create_streams: field(z.boolean(), 'Whether this account may create streams.'),
  can_subscribe_other_users: field(z.boolean(), 'Whether this account may subscribe other users to streams.'),
  enter_sends: field(z.boolean(), 'Whether the Enter key sends a message instead of starting a new line.'),
}

const bots = {
  realm_bots: field(
    z.array(bot),
    'The bots that this account owns; for administrators all bots. Ordered by id.',
  ),
}

const profileFields = {
  custom_profile_fields: field(
    z.array(profileField),
    'The custom profile fields of the organization, in their order.',
  ),
  custom_profile_field_types: field(
    z.record(
      z.string(),
      object({
        id: field(z.int(), 'The number of the type.'),
        name: field(z.string(), 'The display name of the type.'),
      }),
    ),
    'The types of custom profile fields, by name.',
  ),
}

const display = {
  ...displayState,
  emojiset_choices: field(
    z.array(
      object({
        key: field(z.enum(emojisets), 'The name of the set in requests.'),
        text: field(z.string(), 'The display name of the set.'),
      }),
    ),
    'The sets of pictures for emoji that can be chosen.',
  ),
}

const notifications = {
  ...notificationState,
  available_notification_sounds: field(
    z.array(z.string()),
    'The names of the notification sounds that can be chosen.',
  ),
}

const streams = {
  streams: field(
    z.array(stream),
    'The public streams and those that this account is subscribed to, ordered by name.',
  ),
  stream_name_max_length: field(z.int(), 'The maximum length of the name of a stream, in characters.'),
  stream_description_max_length: field(
    z.int(),
    'The maximum length of the description of a stream, in characters.',
  ),
  channel_folders: field(
    z.array(streamFolder),
    'The folders of streams of the organization in their order, archived ones included.',
  ),
  stream_sections: field(
    z.array(streamSection),
    'How this account arranged its list of streams. Empty if it did not.',
  ),
  realm_default_streams: field(z.array(stream), 'The streams that new users are subscribed to.'),
  realm_default_stream_groups: field(
    z.array(defaultStreamGroup),
    'The groups of default streams that new users can choose from.',
  ),
}

const subscriptions = {
  subscriptions: field(
    z.array(subscription),
    'The streams that this account is subscribed to, ordered by name.',
  ),
  unsubscribed: field(z.array(subscription), 'The streams that this account was subscribed to before.'),
  never_subscribed: field(z.array(unsubscribedStream), 'The other streams that this account may see.'),
  muted_topics: field(
    z.array(mutedTopic),
    'The muted topics of this account. Each is a list of the name of the stream, the topic, and the time of muting in seconds.',
  ),
  user_topics: field(
    z.array(userTopic),
    'The topics that this account muted, unmuted in a muted stream or follows, in the order of their changes. Clients that ask for all types get it from generation 371 on.',
  ),
}

const messages = {
  max_message_id: field(
    z.int(),
    'The id of the newest message that this account received. -1 if there is none.',
  ),
  unread_msgs: field(unreadMessages, 'The unread messages of this account.'),
  starred_messages: field(
    z.array(messageId),
    `The ids of the starred messages, ascending. At most the lowest ${maxStarredMessages}.`,
  ),
  recent_private_conversations: field(
    z.array(recentPrivateConversation),
    'The private conversations, the one with the newest message first.',
  ),
  scheduled_messages: field(
    z.array(scheduledMessage),
    'The scheduled messages and reminders of this account, ordered by their time and id.',
  ),
}

const availableBots = z.array(
  object({
    name: field(z.string(), 'The name of the service.'),
    config: field(z.record(z.string(), z.string()), 'The configuration that its bots need, by key.'),
  }),
)

/** Parts of the state that do not change while a client is connected. */
const fixedFields = {
  realm_embedded_bots: field(availableBots, 'Always empty: embedded bots cannot be created.'),
  realm_incoming_webhook_bots: field(
    availableBots,
    'The services that incoming webhooks can be created for.',
  ),
  stop_words: field(
    z.array(z.string()),
    'Words, in lower case, that a search ignores if it has other words.',
  ),
  has_zoom_token: field(z.boolean(), 'Always false: video calls with Zoom are not offered.'),
}

/** The state that `register` returns. Each field is present only if its event type was requested. */
export const initialState = optionalFields(
  {
    ...organizationState,
    ...people,
    ...bots,
    ...profileFields,
    realm_emoji: customEmojiById,
    realm_user_groups: field(z.array(userGroup), 'The user groups, ordered by id. Empty for guests.'),
    realm_domains: field(domains, 'The domains that e-mail addresses may have, ordered by name.'),
    realm_filters: linkifiers,
    ...display,
    ...notifications,
    alert_words: field(alertWords, 'The alert words of this account, in the order in which they were added.'),
    muted_users: field(mutedUsers, 'The users whom this account muted, in the order in which it did.'),
    hotspots: field(z.array(hotspot), 'The next hotspot to show. Empty if there are no more.'),
    user_status: field(statusByUser, 'The status of active users who set one, by user id.'),
    ...streams,
    ...subscriptions,
    ...messages,
    drafts: field(z.array(draft), 'The drafts of this account, the most recently edited first.'),
    presences,
    ...fixedFields,
  },
  'Absent if its type was not requested.',
)
