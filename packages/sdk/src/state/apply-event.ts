import type { Event, UserEvent } from '@oxbow/contract'
import { applyBotEvent } from './bots.ts'
import { applyCustomEmoji } from './custom-emoji.ts'
import { applyDefaultStreamGroups, applyDefaultStreams } from './default-streams.ts'
import { applyDomains } from './domains.ts'
import { applyDrafts } from './drafts.ts'
import { applyLinkifiers } from './linkifiers.ts'
import { applyMessageFlags } from './message-flags.ts'
import { applyMessageDeletion, applyMessageUpdate, applyNewMessage } from './messages.ts'
import { applyMutedTopics } from './muted-topics.ts'
import { applyOrganizationEvent } from './organization.ts'
import { applyPresence, applyUserToPresences } from './presence.ts'
import { applyProfileFieldsEvent } from './profile-fields.ts'
import { applyScheduledMessages } from './scheduled-messages.ts'
import {
  applyAlertWords,
  applyDisplaySettings,
  applyHotspots,
  applyMutedUsers,
  applyNotificationSettings,
  applyStreamSections,
} from './settings.ts'
import type { RegisterOptions, State } from './state.ts'
import { applyStreamFolderEvent } from './stream-folders.ts'
import { applyStreamEvent } from './streams.ts'
import { applySubscriptionEvent } from './subscriptions.ts'
import { applyUserGroupEvent } from './user-groups.ts'
import { applyUserStatus, removeStatusOfUser } from './user-status.ts'
import { applyUserToStreams } from './user-streams.ts'
import { applyUserTopic } from './user-topics.ts'
import { applyUserEvent } from './users.ts'

/**
 * Returns the state after an event. The given state is not modified, and unchanged parts are
 * shared. Applying an event twice changes nothing more. Events of unknown types change nothing.
 */
export function applyEvent(state: State, event: Event, options: RegisterOptions = {}): State {
  switch (event.type) {
    case 'realm_user':
      return applyUser(state, event, options)
    case 'realm_bot':
      return applyBotEvent(state, event)
    case 'custom_profile_fields':
      return applyProfileFieldsEvent(state, event)
    case 'realm_emoji':
      return applyCustomEmoji(state, event)
    case 'user_group':
      return applyUserGroupEvent(state, event)
    case 'realm_domains':
      return applyDomains(state, event)
    case 'realm_filters':
      return applyLinkifiers(state, event)
    case 'realm':
      return applyOrganizationEvent(state, event, options)
    case 'update_display_settings':
      return applyDisplaySettings(state, event)
    case 'update_global_notifications':
      return applyNotificationSettings(state, event)
    case 'alert_words':
      return applyAlertWords(state, event)
    case 'muted_users':
      return applyMutedUsers(state, event)
    case 'user_status':
      return applyUserStatus(state, event)
    case 'hotspots':
      return applyHotspots(state, event)
    case 'stream':
      return applyStreamEvent(state, event, options)
    case 'channel_folder':
      return applyStreamFolderEvent(state, event)
    case 'stream_sections':
      return applyStreamSections(state, event)
    case 'subscription':
      return applySubscriptionEvent(state, event, options)
    case 'default_streams':
      return applyDefaultStreams(state, event)
    case 'default_stream_groups':
      return applyDefaultStreamGroups(state, event)
    case 'muted_topics':
      return applyMutedTopics(state, event)
    case 'user_topic':
      return applyUserTopic(state, event)
    case 'message':
      return applyNewMessage(state, event)
    case 'update_message':
      return applyMessageUpdate(state, event)
    case 'delete_message':
      return applyMessageDeletion(state, event)
    case 'update_message_flags':
      return applyMessageFlags(state, event)
    case 'drafts':
      return applyDrafts(state, event)
    case 'scheduled_messages':
      return applyScheduledMessages(state, event)
    case 'presence':
      return applyPresence(state, event)
    case 'attachment':
    case 'heartbeat':
    case 'invites_changed':
    case 'reaction':
    case 'realm_export':
    case 'submessage':
    case 'typing':
      return state
    default:
      // A type of the contract without a case does not compile. Newer servers may send other types.
      event satisfies never
      return state
  }
}

/** Applies a user event to all parts of the state that refer to users. */
function applyUser(state: State, event: UserEvent, options: RegisterOptions): State {
  const people = applyUserEvent(applyUserToPresences(state, event), event, options)
  return removeStatusOfUser(applyUserToStreams(people, event), event)
}
