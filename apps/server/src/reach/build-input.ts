import type { UserId } from '@oxbow/contract'
import type { ChannelSettings, DecisionInput } from '@oxbow/reach'
import { crowdLimit, type ReachRow } from './queries.ts'

type Settings = ReachRow['setting']

/** Pushes and mail about messages are not sent yet. */
const channels = { mailWorks: false, pushWorks: false }

/**
 * Builds the input of a decision as of the moment at which the message was sent. The message counts as unread then;
 * presence is not known.
 */
export function buildInput(reader: UserId, row: ReachRow): DecisionInput {
  const sentAt = row.sent_at.getTime()
  const { setting, subscription } = row
  return {
    message: {
      senderId: row.sender_id,
      sentAt,
      isPrivate: row.is_private,
      isDeleted: row.is_deleted,
      isSilent: row.is_from_system || row.is_history,
    },
    mentions: {
      byName: row.is_mentioned,
      everyone: row.mentions_wildcard,
      alertWord: row.has_alert_word,
    },
    reader: {
      id: reader,
      isBot: row.bot_type !== null,
      isActive: row.is_active,
      hasAccess: row.is_received,
      isUnread: true,
      settings: {
        direct: readDirect(setting),
        streams: readStreams(setting),
        // Followed topics have no settings of their own yet.
        followedTopics: readDirect(setting),
        followedWildcards: true,
        wildcards: setting.wildcard_mentions_notify,
        alertWordPush: true,
        alertWordMail: false,
        pushWhileActive: setting.enable_online_push_notifications,
        mailDelayMs: 120_000,
      },
      stream: subscription
        ? {
            screen: subscription.desktop_notifications,
            sound: subscription.audible_notifications,
            push: subscription.push_notifications,
            mail: subscription.email_notifications,
            wildcards: subscription.wildcard_mentions_notify,
          }
        : undefined,
      isStreamMuted: subscription?.is_muted ?? false,
      topicPolicy: policies[row.attention],
      hasMutedSender: row.has_muted_sender,
      hasMutedAllOthers: row.has_muted_all_others,
      breakThrough: new Set(),
      address: row.delivery_email === '' ? 'none' : 'ok',
      pushDevices: 0,
    },
    where: { ...channels, subscribers: row.subscribers, crowdLimit },
    now: { at: sentAt, isPresenceHidden: !setting.presence_enabled },
    earlier: { pushesInTenMinutes: 0, unansweredMails: 0, mailsInHour: 0, mailsInDay: 0 },
  }
}

/** The policies of topics, by the number of the attention that an account pays to them. */
const policies = ['inherit', 'muted', 'unmuted', 'followed'] as const

const readDirect = (setting: Settings): ChannelSettings => ({
  screen: setting.enable_desktop_notifications,
  sound: setting.enable_sounds,
  push: setting.enable_offline_push_notifications,
  mail: setting.enable_offline_email_notifications,
})

const readStreams = (setting: Settings): ChannelSettings => ({
  screen: setting.enable_stream_desktop_notifications,
  sound: setting.enable_stream_audible_notifications,
  push: setting.enable_stream_push_notifications,
  mail: setting.enable_stream_email_notifications,
})
