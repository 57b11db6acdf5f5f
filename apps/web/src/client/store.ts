import type { UserId } from '@oxbow/contract'
import type { State } from '@oxbow/sdk'
import { showState } from '@oxbow/sdk/windows'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { pendingEvents } from './pending.ts'

/** The state of the account as the server sent it. Only the server's events change it. */
export const accountState = signal<State | undefined>(undefined)

/** The state with pending changes applied, for display. */
const shown = computed(() => accountState.value && showState(accountState.value, pendingEvents.value))

/** Whether the state has been received. */
export const isReady = computed(() => shown.value !== undefined)

/**
 * Returns a signal of one field of the state. A field keeps its identity while it does not change,
 * so an event updates only the readers of the fields that it changes.
 */
export function slice<Name extends keyof State>(name: Name): ReadonlySignal<State[Name] | undefined> {
  return computed(() => shown.value?.[name])
}

export const ownId = slice('user_id')
/** Returns the id of the account. The state must have been received. */
export function getOwnId(): UserId {
  const user_id = ownId.peek()
  if (user_id === undefined) throw new Error('The state has not been received')
  return user_id
}
export const ownName = slice('full_name')
export const isAdministrator = slice('is_admin')
export const addingPolicy = slice('realm_invite_to_stream_policy')
export const waitingDays = slice('realm_waiting_period_threshold')
export const desktopOfStreams = slice('enable_stream_desktop_notifications')
export const soundOfStreams = slice('enable_stream_audible_notifications')
export const pushOfStreams = slice('enable_stream_push_notifications')
export const emailOfStreams = slice('enable_stream_email_notifications')
export const wildcardOfStreams = slice('wildcard_mentions_notify')
export const isGuest = slice('is_guest')
export const ownAvatar = slice('avatar_url')
export const organizationName = slice('realm_name')
export const organizationIcon = slice('realm_icon_url')
export const users = slice('realm_users')
export const systemBots = slice('cross_realm_bots')
export const bots = slice('realm_bots')
export const botCreationPolicy = slice('realm_bot_creation_policy')
export const botDomain = slice('realm_bot_domain')
export const subscriptions = slice('subscriptions')
export const streamFolders = slice('channel_folders')
export const arrangedSections = slice('stream_sections')
export const unreadMessages = slice('unread_msgs')
export const userTopics = slice('user_topics')
export const mutedUsers = slice('muted_users')
export const privateConversations = slice('recent_private_conversations')
export const starredMessages = slice('starred_messages')
export const drafts = slice('drafts')
export const colorScheme = slice('color_scheme')
export const highContrast = slice('high_contrast_mode')
export const denseMode = slice('dense_mode')
export const language = slice('default_language')
export const timezone = slice('timezone')
export const showsReaders = slice('realm_enable_read_receipts')
export const sendsReceipts = slice('send_read_receipts')
export const uses24Hours = slice('twenty_four_hour_time')
export const demoteInactive = slice('demote_inactive_streams')
export const usesFullWidth = slice('fluid_layout_width')
export const countsStarred = slice('starred_message_counts')
export const emojiSet = slice('emojiset')
export const entersSend = slice('enter_sends')
export const customEmoji = slice('realm_emoji')
export const linkifiers = slice('realm_filters')
const allGroups = slice('realm_user_groups')
/** The groups that people made, which can be mentioned. */
export const userGroups = computed(() => allGroups.value?.filter(({ is_system_group }) => !is_system_group))
export const unsubscribed = slice('unsubscribed')
export const neverSubscribed = slice('never_subscribed')
export const previewsImages = slice('realm_inline_image_preview')
export const translatesEmoticons = slice('translate_emoticons')
export const defaultCodeLanguage = slice('realm_default_code_block_language')
export const requiresTopics = slice('realm_mandatory_topics')
export const maxUploadMebibytes = slice('max_file_upload_size_mib')
export const thumbnailFormats = slice('server_thumbnail_formats')
export const privateMessagePolicy = slice('realm_private_message_policy')
export const ownEmail = slice('email')
export const ownDeliveryEmail = slice('delivery_email')
export const ownAvatarLarge = slice('avatar_url_medium')
export const ownAvatarSource = slice('avatar_source')
export const defaultStreams = slice('realm_default_streams')
export const canSubscribeOthers = slice('can_subscribe_other_users')
export const noticesStream = slice('realm_notifications_stream_id')
export const signUpsStream = slice('realm_signup_notifications_stream_id')
export const isOwner = slice('is_owner')
export const alertWords = slice('alert_words')
export const profileFields = slice('custom_profile_fields')
export const locksNames = slice('realm_name_changes_disabled')
export const serverLocksNames = slice('server_name_changes_disabled')
export const locksAvatars = slice('realm_avatar_changes_disabled')
export const serverLocksAvatars = slice('server_avatar_changes_disabled')
export const locksEmails = slice('realm_email_changes_disabled')
export const acceptsPasswords = slice('realm_password_auth_enabled')
export const minPasswordLength = slice('password_min_length')
export const maxAvatarMebibytes = slice('max_avatar_file_size_mib')
export const notifiesOnScreen = slice('enable_desktop_notifications')
export const badgeKind = slice('desktop_icon_count_display')
export const notifiesBySound = slice('enable_sounds')
export const showsPrivateContent = slice('pm_content_in_desktop_notifications')
export const presenceEnabled = slice('presence_enabled')
export const presenceDisabled = slice('realm_presence_disabled')
export const userStatuses = slice('user_status')
export const scheduledMessages = slice('scheduled_messages')
