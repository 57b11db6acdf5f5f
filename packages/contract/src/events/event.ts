import { z } from 'zod'
import { alertWordsEvent } from './alert-words.ts'
import { attachmentEvent } from './attachments.ts'
import { botEvent } from './bots.ts'
import { dataExportsEvent } from './data-exports.ts'
import { domainsEvent } from './domains.ts'
import { draftsEvent } from './drafts.ts'
import { customEmojiEvent } from './emoji.ts'
import { eventSchema } from './event-schema.ts'
import { hotspotsEvent } from './hotspots.ts'
import { invitesChangedEvent } from './invitations.ts'
import { linkifiersEvent } from './linkifiers.ts'
import {
  messageDeletionEvent,
  messageFlagsEvent,
  messageUpdateEvent,
  newMessageEvent,
  reactionEvent,
  submessageEvent,
} from './messages.ts'
import { organizationEvent } from './organization.ts'
import { presenceEvent } from './presence.ts'
import { profileFieldsEvent } from './profile-fields.ts'
import { scheduledMessagesEvent } from './scheduled-messages.ts'
import { displaySettingsEvent, notificationSettingsEvent } from './settings.ts'
import { defaultStreamGroupsEvent, defaultStreamsEvent, streamEvent } from './streams.ts'
import { mutedTopicsEvent, subscriptionEvent } from './subscriptions.ts'
import { typingEvent } from './typing.ts'
import { userGroupEvent } from './user-groups.ts'
import { userStatusEvent } from './user-status.ts'
import { userEvent } from './users.ts'

/** Keeps the connection alive, and says that the queue has no other events up to this id. */
export const heartbeatEvent = eventSchema('heartbeat', {})

/** Any event that a queue can contain. Ids increase within a queue. */
export const event = z.discriminatedUnion('type', [
  userEvent,
  invitesChangedEvent,
  botEvent,
  profileFieldsEvent,
  customEmojiEvent,
  userGroupEvent,
  domainsEvent,
  linkifiersEvent,
  dataExportsEvent,
  organizationEvent,
  displaySettingsEvent,
  notificationSettingsEvent,
  alertWordsEvent,
  userStatusEvent,
  hotspotsEvent,
  streamEvent,
  defaultStreamsEvent,
  defaultStreamGroupsEvent,
  subscriptionEvent,
  mutedTopicsEvent,
  newMessageEvent,
  messageUpdateEvent,
  messageDeletionEvent,
  messageFlagsEvent,
  reactionEvent,
  submessageEvent,
  draftsEvent,
  attachmentEvent,
  scheduledMessagesEvent,
  presenceEvent,
  typingEvent,
  heartbeatEvent,
])
export type Event = z.infer<typeof event>
