import { alertWordsState } from './alert-words/state.ts'
import { domainsState } from './domains/state.ts'
import { draftsState } from './drafts/state.ts'
import { customEmojiState } from './emoji/state.ts'
import type { StateSlice } from './events/state-slice.ts'
import { linkifiersState } from './linkifiers/state.ts'
import { scheduledMessagesState } from './messages/scheduled/state.ts'
import {
  newestMessageState,
  recentConversationsState,
  starredState,
  stopWordsState,
  unreadState,
} from './messages/state.ts'
import { organizationState, videoCallsState } from './organization/state.ts'
import { presenceState } from './presence/state.ts'
import { externalAccountsState, profileFieldsState } from './profile-fields/state.ts'
import { displaySettingsState, hotspotsState, notificationSettingsState } from './settings/state.ts'
import { passwordState } from './sign-in/state.ts'
import {
  defaultStreamGroupsState,
  defaultStreamsState,
  mutedTopicsState,
  streamsState,
} from './streams/state.ts'
import { subscriptionsState } from './streams/subscriptions/state.ts'
import { userGroupsState } from './user-groups/state.ts'
import { userStatusState } from './user-status/state.ts'
import { botsState, embeddedBotsState } from './users/bots/state.ts'
import { usersState } from './users/state.ts'
import { incomingWebhooksState } from './webhooks/state.ts'

/** The slices of state that `register` returns, one or more per feature. */
export const stateSlices: readonly StateSlice[] = [
  organizationState,
  passwordState,
  profileFieldsState,
  externalAccountsState,
  customEmojiState,
  userGroupsState,
  domainsState,
  linkifiersState,
  usersState,
  botsState,
  embeddedBotsState,
  incomingWebhooksState,
  displaySettingsState,
  notificationSettingsState,
  hotspotsState,
  alertWordsState,
  userStatusState,
  streamsState,
  subscriptionsState,
  defaultStreamsState,
  defaultStreamGroupsState,
  mutedTopicsState,
  newestMessageState,
  unreadState,
  starredState,
  recentConversationsState,
  scheduledMessagesState,
  stopWordsState,
  videoCallsState,
  draftsState,
  presenceState,
]
