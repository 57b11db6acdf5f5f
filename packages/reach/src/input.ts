import type { Reason, RuleId } from './rules.ts'

/** One setting for each channel. */
export interface ChannelSettings {
  readonly screen: boolean
  readonly sound: boolean
  readonly push: boolean
  readonly mail: boolean
}

/** The notification settings of an account. */
interface ReachSettings {
  /** Private messages, mentions and alert words. `mail` is also the master switch of mail about messages. */
  readonly direct: ChannelSettings
  /** All messages of streams without a setting of their own. */
  readonly streams: ChannelSettings
  readonly followedTopics: ChannelSettings
  /** Whether mentions of everyone notify as a personal mention does. */
  readonly wildcards: boolean
  readonly followedWildcards: boolean
  /** Whether alert words also cause pushes and mail. They always may cause screen and sound. */
  readonly alertWordPush: boolean
  readonly alertWordMail: boolean
  /** Whether pushes are sent while the user is active. */
  readonly pushWhileActive: boolean
  /** The time for which mail about a conversation waits for further messages. */
  readonly mailDelayMs: number
}

/** A stream's own settings. Null: the setting of the account applies. */
interface StreamOverrides {
  readonly screen: boolean | null
  readonly sound: boolean | null
  readonly push: boolean | null
  readonly mail: boolean | null
  readonly wildcards: boolean | null
}

export type TopicPolicy = 'inherit' | 'muted' | 'unmuted' | 'followed'

/** Everything that a decision depends on. Times are milliseconds since 1970, and ids are those of the protocol. */
export interface DecisionInput {
  readonly message: {
    readonly senderId: number
    readonly sentAt: number
    readonly isPrivate: boolean
    readonly isDeleted: boolean
    /** Notices of the server, imports, and history that a newcomer is given. */
    readonly isSilent: boolean
  }
  /** How the message mentions this reader. */
  readonly mentions: {
    readonly byName: boolean
    /** Size of the smallest group that mentions the reader; undefined without one. */
    readonly groupSize?: number | undefined
    readonly everyone: boolean
    readonly alertWord: boolean
  }
  readonly reader: {
    readonly id: number
    readonly isBot: boolean
    readonly isActive: boolean
    readonly hasAccess: boolean
    readonly isUnread: boolean
    readonly settings: ReachSettings
    readonly stream?: StreamOverrides | undefined
    readonly isStreamMuted: boolean
    readonly topicPolicy: TopicPolicy
    readonly hasMutedSender: boolean
    readonly hasMutedAllOthers: boolean
    /** The end of the quiet hours or the pause that last now: `findQuietEnd`. */
    readonly quietUntil?: number | undefined
    /** People whose messages ignore quiet hours. */
    readonly breakThrough: ReadonlySet<number>
    readonly address: 'ok' | 'none' | 'bounces'
    readonly pushDevices: number
  }
  readonly where: {
    readonly mailWorks: boolean
    readonly pushWorks: boolean
    /** Number of subscribers of the stream. */
    readonly subscribers: number
    /** A mention of more people than this causes no mail by itself. */
    readonly crowdLimit: number
  }
  readonly now: {
    readonly at: number
    /** When a program of the account last reported activity. */
    readonly lastActiveAt?: number | undefined
    /** Whether the account stores no presence, so that nobody knows whether it is active. */
    readonly isPresenceHidden: boolean
  }
  /** Earlier pushes and e-mails to the reader. */
  readonly earlier: {
    /** When a push about this conversation was last sent. */
    readonly conversationPushedAt?: number | undefined
    readonly lastPushAt?: number | undefined
    readonly pushesInTenMinutes: number
    /** When a push of this message was accepted for a device that showed one in the last seven days. */
    readonly pushAcceptedAt?: number | undefined
    /** When the first message that waits for the same e-mail was sent. */
    readonly gatheringSince?: number | undefined
    /** E-mails about the conversation after which nothing of it was read. */
    readonly unansweredMails: number
    readonly conversationMailedAt?: number | undefined
    readonly lastMailAt?: number | undefined
    readonly mailsInHour: number
    readonly mailsInDay: number
  }
}

/** The outcome in one channel, its time, and the rule that decided it. */
export type Verdict =
  | { readonly outcome: 'now'; readonly rule: RuleId; readonly reason: Reason }
  | { readonly outcome: 'at'; readonly at: number; readonly rule: RuleId; readonly reason: Reason }
  | { readonly outcome: 'never'; readonly rule: RuleId }

export interface Decision {
  /** Why the message concerns the reader, in the order in which reasons are named. Empty after a stop. */
  readonly reasons: readonly Reason[]
  readonly screen: Verdict
  readonly sound: Verdict
  readonly push: Verdict
  readonly mail: Verdict
}
