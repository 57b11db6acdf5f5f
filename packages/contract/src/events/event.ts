import { z } from 'zod'
import { alertWordsEvent } from '../alert-words/events.ts'
import { botEvent } from '../bots/events.ts'
import { domainsEvent } from '../domains/events.ts'
import { draftsEvent } from '../drafts/events.ts'
import { customEmojiEvent } from '../emoji/events.ts'
import { dataExportsEvent } from '../exports/events.ts'
import { hotspotsEvent } from '../hotspots/events.ts'
import { invitesChangedEvent } from '../invitations/events.ts'
import { linkifiersEvent } from '../linkifiers/events.ts'
import {
  messageDeletionEvent,
  messageFlagsEvent,
  messageUpdateEvent,
  newMessageEvent,
  reactionEvent,
  submessageEvent,
} from '../messages/events.ts'
import { mutedUsersEvent } from '../muted-users/events.ts'
import { organizationEvent } from '../organization/events.ts'
import { presenceEvent } from '../presence/events.ts'
import { profileFieldsEvent } from '../profile-fields/events.ts'
import { scheduledMessagesEvent } from '../scheduled-messages/events.ts'
import { displaySettingsEvent, notificationSettingsEvent } from '../settings/events.ts'
import { streamFolderEvent } from '../stream-folders/events.ts'
import { streamSectionsEvent } from '../stream-sections/events.ts'
import { defaultStreamGroupsEvent, defaultStreamsEvent, streamEvent } from '../streams/events.ts'
import { mutedTopicsEvent, subscriptionEvent, userTopicEvent } from '../subscriptions/events.ts'
import { typingEvent } from '../typing/events.ts'
import { attachmentEvent } from '../uploads/events.ts'
import { userGroupEvent } from '../user-groups/events.ts'
import { userStatusEvent } from '../user-status/events.ts'
import { userEvent } from '../users/events.ts'
import { eventSchema } from './event-schema.ts'

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
  streamFolderEvent,
  streamSectionsEvent,
  defaultStreamsEvent,
  defaultStreamGroupsEvent,
  subscriptionEvent,
  mutedTopicsEvent,
  mutedUsersEvent,
  userTopicEvent,
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
