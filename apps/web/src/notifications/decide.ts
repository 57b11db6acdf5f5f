import { decide, type TopicPolicy } from '@oxbow/reach'

/** The properties of a new message that decide about notifications. */
export interface ArrivedMessage {
  readonly isOwn: boolean
  readonly isPrivate: boolean
  readonly isStreamMuted: boolean
  readonly topicPolicy: TopicPolicy
  readonly isSenderMuted: boolean
  readonly flags: readonly string[]
}

/** Settings of the account, and those of the stream, which take precedence if they are not null. */
export interface NotificationRules {
  readonly screen: boolean
  readonly sound: boolean
  readonly streamScreen: boolean
  readonly streamSound: boolean
  readonly wildcards: boolean
  readonly overrides?: StreamSettings | undefined
}

interface StreamSettings {
  readonly desktop_notifications: boolean | null
  readonly audible_notifications: boolean | null
  readonly wildcard_mentions_notify: boolean | null
}

export interface NotificationChannels {
  readonly screen: boolean
  readonly sound: boolean
}

/**
 * Decides by the rules of `@oxbow/reach` whether a message that just arrived is shown and heard on this device.
 * Pushes and mail are decided by the server.
 */
export function chooseChannels(message: ArrivedMessage, rules: NotificationRules): NotificationChannels {
  const { flags, isOwn, isPrivate, isStreamMuted, topicPolicy, isSenderMuted } = message
  const has = (flag: string) => flags.includes(flag)
  const { screen, sound } = decide({
    message: { senderId: isOwn ? reader.id : 0, sentAt: 0, isPrivate, isDeleted: false, isSilent: false },
    mentions: {
      byName: has('mentioned'),
      everyone: has('wildcard_mentioned'),
      alertWord: has('has_alert_word'),
    },
    reader: {
      ...reader,
      isUnread: !has('read'),
      settings: {
        ...noSettings,
        direct: { ...noChannels, screen: rules.screen, sound: rules.sound },
        // Followed topics have no settings of their own yet.
        followedTopics: { ...noChannels, screen: rules.screen, sound: rules.sound },
        streams: { ...noChannels, screen: rules.streamScreen, sound: rules.streamSound },
        wildcards: rules.wildcards,
      },
      stream: rules.overrides && {
        screen: rules.overrides.desktop_notifications,
        sound: rules.overrides.audible_notifications,
        push: null,
        mail: null,
        wildcards: rules.overrides.wildcard_mentions_notify,
      },
      isStreamMuted,
      topicPolicy,
      hasMutedSender: isSenderMuted,
    },
    where: { mailWorks: false, pushWorks: false, subscribers: 0, crowdLimit: 0 },
    now: { at: 0, isPresenceHidden: false },
    earlier: { pushesInTenMinutes: 0, unansweredMails: 0, mailsInHour: 0, mailsInDay: 0 },
  })
  return { screen: screen.outcome === 'now', sound: sound.outcome === 'now' }
}

const noChannels = { screen: false, sound: false, push: false, mail: false }

const noSettings = {
  followedWildcards: true,
  alertWordPush: false,
  alertWordMail: false,
  pushWhileActive: false,
  mailDelayMs: 0,
}

/** The parts of the reader that are the same for every message: the device received it for them. */
const reader = {
  id: 1,
  isBot: false,
  isActive: true,
  hasAccess: true,
  hasMutedAllOthers: false,
  breakThrough: new Set<number>(),
  address: 'none',
  pushDevices: 0,
} as const
