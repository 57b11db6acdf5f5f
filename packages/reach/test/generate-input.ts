import type { ChannelSettings, DecisionInput, TopicPolicy } from '../src/index.ts'

const hourMs = 3_600_000
export const noon = Date.UTC(2026, 10, 20, 12)

const chance = (share: number) => Math.random() < share
const oneOf = <Value>(...values: readonly Value[]): Value =>
  values[Math.floor(Math.random() * values.length)] as Value

const someChannels = (): ChannelSettings => ({
  screen: chance(0.5),
  sound: chance(0.5),
  push: chance(0.6),
  mail: chance(0.6),
})

const before = (maxMs: number) => noon - Math.floor(Math.random() * maxMs)
const override = () => oneOf(null, null, true, false)

/** Generates an input in which each rule is likely enough to decide. */
export function generateInput(): DecisionInput {
  const isPrivate = chance(0.25)
  return {
    message: {
      senderId: oneOf(1, 2, 2, 2, 2, 2, 2),
      sentAt: chance(0.05) ? before(30 * hourMs) : before(5 * 60_000),
      isPrivate,
      isDeleted: chance(0.03),
      isSilent: chance(0.03),
    },
    mentions: {
      byName: chance(0.25),
      groupSize: oneOf(undefined, undefined, undefined, 10, 5_000),
      everyone: chance(0.3),
      alertWord: chance(0.3),
    },
    reader: {
      id: 1,
      isBot: chance(0.02),
      isActive: chance(0.98),
      hasAccess: chance(0.97),
      isUnread: chance(0.95),
      settings: {
        direct: someChannels(),
        streams: someChannels(),
        followedTopics: someChannels(),
        wildcards: chance(0.5),
        followedWildcards: chance(0.5),
        alertWordPush: chance(0.5),
        alertWordMail: chance(0.5),
        pushWhileActive: chance(0.5),
        mailDelayMs: oneOf(120_000, 300_000),
      },
      stream: oneOf(undefined, {
        screen: override(),
        sound: override(),
        push: override(),
        mail: override(),
        wildcards: override(),
      }),
      isStreamMuted: chance(0.3),
      topicPolicy: oneOf<TopicPolicy>('inherit', 'inherit', 'muted', 'unmuted', 'followed'),
      hasMutedSender: chance(0.03),
      hasMutedAllOthers: chance(0.1),
      quietUntil: oneOf(undefined, undefined, noon + hourMs, noon - hourMs),
      breakThrough: new Set(oneOf([], [2])),
      address: oneOf('ok', 'ok', 'ok', 'none', 'bounces'),
      pushDevices: oneOf(0, 1, 2, 3),
    },
    where: {
      mailWorks: chance(0.9),
      pushWorks: chance(0.9),
      subscribers: oneOf(3, 1_000, 1_001, 100_000),
      crowdLimit: 1_000,
    },
    now: {
      at: noon,
      lastActiveAt: oneOf(undefined, noon, before(200_000), noon - 140_000),
      isPresenceHidden: chance(0.2),
    },
    earlier: {
      conversationPushedAt: oneOf(undefined, undefined, before(30_000)),
      lastPushAt: oneOf(undefined, before(30_000)),
      pushesInTenMinutes: oneOf(0, 19, 20, 50),
      pushAcceptedAt: oneOf(undefined, undefined, before(40 * 60_000)),
      gatheringSince: oneOf(undefined, before(10 * 60_000)),
      unansweredMails: oneOf(0, 0, 1, 2),
      conversationMailedAt: oneOf(undefined, before(2 * hourMs)),
      lastMailAt: oneOf(undefined, before(2 * hourMs)),
      mailsInHour: oneOf(0, 0, 20),
      mailsInDay: oneOf(0, 0, 60),
    },
  }
}
