import { z } from 'zod'
import { alertWords } from '../alert-words/shape.ts'
import { bot } from '../bots/shape.ts'
import { domains } from '../domains/shape.ts'
import { draft } from '../drafts/shape.ts'
import { customEmojiById } from '../emoji/shape.ts'
import { hotspot } from '../hotspots/shape.ts'
import { messageId, userId } from '../ids.ts'
import { field } from '../kernel/field.ts'
import { linkifiers } from '../linkifiers/shape.ts'
import { recentPrivateConversation, unreadMessages } from '../messages/unread.ts'
import { organizationState } from '../organization/shape.ts'
import { presences } from '../presence/shape.ts'
import { profileField } from '../profile-fields/shape.ts'
import { scheduledMessage } from '../scheduled-messages/shape.ts'
import { displayState, emojisets, notificationState } from '../settings/shape.ts'
import { defaultStreamGroup, stream } from '../streams/shape.ts'
import { mutedTopic, subscription, unsubscribedStream } from '../subscriptions/shape.ts'
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
  realm_users: z.array(listedUser),
  realm_non_active_users: z.array(listedUser),
  cross_realm_bots: z.array(
    user.extend({
      is_cross_realm_bot: field(
        z.literal(true),
        'Always true: the bot belongs to the server, not to the organization.',
      ),
    }),
  ),
  user_id: userId,
  email: z.string(),
  delivery_email: z.string(),
  full_name: z.string(),
  avatar_source: z.literal(['G', 'U']),
  avatar_url: z.string(),
  avatar_url_medium: z.string(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_guest: z.boolean(),
  can_create_streams: z.boolean(),
  can_subscribe_other_users: z.boolean(),
  enter_sends: z.boolean(),
}

const bots = {
  realm_bots: z.array(bot),
}

const profileFields = {
  custom_profile_fields: z.array(profileField),
  custom_profile_field_types: z.record(z.string(), z.strictObject({ id: z.int(), name: z.string() })),
}

const display = {
  ...displayState,
  emojiset_choices: z.array(z.strictObject({ key: z.enum(emojisets), text: z.string() })),
}

const notifications = { ...notificationState, available_notification_sounds: z.array(z.string()) }

const streams = {
  streams: z.array(stream),
  stream_name_max_length: z.int(),
  stream_description_max_length: z.int(),
  realm_default_streams: z.array(stream),
  realm_default_stream_groups: z.array(defaultStreamGroup),
}

const subscriptions = {
  subscriptions: z.array(subscription),
  unsubscribed: z.array(subscription),
  never_subscribed: z.array(unsubscribedStream),
  muted_topics: z.array(mutedTopic),
}

const messages = {
  max_message_id: z.int(),
  unread_msgs: unreadMessages,
  starred_messages: z.array(messageId),
  recent_private_conversations: z.array(recentPrivateConversation),
  scheduled_messages: z.array(scheduledMessage),
}

const availableBots = z.array(
  z.strictObject({
    name: z.string(),
    config: z.record(z.string(), z.string()),
  }),
)

/** Parts of the state that do not change while a client is connected. */
const fixedFields = {
  realm_embedded_bots: availableBots,
  realm_incoming_webhook_bots: availableBots,
  stop_words: z.array(z.string()),
  has_zoom_token: z.boolean(),
}

/** The state that `register` returns. Each field is present only if its event type was requested. */
export const initialState = z
  .object({
    ...organizationState,
    ...people,
    ...bots,
    ...profileFields,
    realm_emoji: customEmojiById,
    realm_user_groups: z.array(userGroup),
    realm_domains: domains,
    realm_filters: linkifiers,
    ...display,
    ...notifications,
    alert_words: alertWords,
    hotspots: z.array(hotspot),
    user_status: statusByUser,
    ...streams,
    ...subscriptions,
    ...messages,
    drafts: z.array(draft),
    presences,
    ...fixedFields,
  })
  .partial().shape
