import type { Decision, DecisionInput, Verdict } from '../src/index.ts'

/**
 * A second implementation of `decide`, written as the tables of rules read: one row for each reason and one list
 * of times for each channel. It shares no code with the first.
 */
export function decideNaively(input: DecisionInput): Decision {
  const stop = listStops(input).find(([isStopped]) => isStopped)?.[1]
  if (stop) {
    const verdict = { outcome: 'never', rule: stop } as Verdict
    return { reasons: [], screen: verdict, sound: verdict, push: verdict, mail: verdict }
  }
  const rows = listRows(input).filter(({ applies }) => applies)
  const { reader, where, now } = input
  const s = reader.settings
  const quiet =
    (reader.quietUntil ?? 0) > now.at && !reader.breakThrough.has(input.message.senderId)
      ? reader.quietUntil
      : 0
  const verdictOf = (channel: 'screen' | 'sound' | 'push' | 'mail'): Verdict => {
    const granting = rows.find((row) => !row.mute && row[channel])
    const refusals: [boolean, string][] = [
      [channel === 'push' && !s.direct.push && !s.pushWhileActive, 'P3'],
      [channel === 'mail' && !s.direct.mail, 'P4'],
      [!granting, rows[0]?.mute || (rows[0]?.rule ?? '')],
      [channel === 'sound' && Boolean(quiet), 'T4'],
      [channel === 'push' && !where.pushWorks, 'D2'],
      [channel === 'push' && reader.pushDevices === 0, 'D1'],
      [channel === 'mail' && !where.mailWorks, 'D5'],
      [channel === 'mail' && reader.address === 'none', 'D3'],
      [channel === 'mail' && reader.address === 'bounces', 'D4'],
    ]
    const refusal = refusals.find(([isRefused]) => isRefused)?.[1]
    if (refusal || !granting) return { outcome: 'never', rule: refusal } as Verdict
    const reason = granting.rule
    if (channel === 'screen' || channel === 'sound')
      return { outcome: 'now', rule: reason, reason } as Verdict
    const times = channel === 'push' ? listPushTimes(input, quiet || undefined) : listMailTimes(input)
    const at = Math.max(...times.map(([time]) => time))
    const rule = times.find(([time]) => time === at)?.[1]
    const isActive = !input.now.isPresenceHidden && at140(input) > now.at
    if (channel === 'mail' && at <= now.at && isActive)
      return { outcome: 'at', at: now.at + 60_000, rule: 'T10', reason } as Verdict
    return (at <= now.at ? { outcome: 'now', rule, reason } : { outcome: 'at', at, rule, reason }) as Verdict
  }
  return {
    reasons: rows.map(({ rule }) => rule) as Decision['reasons'],
    screen: verdictOf('screen'),
    sound: verdictOf('sound'),
    push: verdictOf('push'),
    mail: verdictOf('mail'),
  }
}

const at140 = ({ now }: DecisionInput): number => (now.lastActiveAt ?? Number.NEGATIVE_INFINITY) + 140_000

const listStops = ({ message: m, reader: r, now }: DecisionInput): [boolean, string][] => [
  [m.senderId === r.id, 'S1'],
  [r.isBot, 'S2'],
  [!r.isActive, 'S2'],
  [!r.hasAccess, 'S3'],
  [m.isDeleted, 'S4'],
  [!r.isUnread, 'S5'],
  [m.isSilent, 'S6'],
  [r.hasMutedSender, 'S7'],
  [m.isPrivate && r.hasMutedAllOthers, 'S7'],
  [m.sentAt < now.at - 86_400_000, 'S8'],
]

interface Row {
  rule: string
  applies: boolean
  mute: string
  screen: boolean
  sound: boolean
  push: boolean
  mail: boolean
}

function listRows({ message, mentions, reader, where }: DecisionInput): Row[] {
  const s = reader.settings
  const own = reader.stream
  const isStream = !message.isPrivate
  const size = mentions.groupSize ?? 0
  const crowd = isStream && where.subscribers > where.crowdLimit
  const wildcards = own?.wildcards == null ? s.wildcards : own.wildcards
  const topicMute = isStream && reader.topicPolicy === 'muted' ? 'P1' : ''
  const streamMute = isStream && reader.isStreamMuted && reader.topicPolicy === 'inherit' ? 'P2' : ''
  const place = topicMute || streamMute
  const wildcardPlace = topicMute || (own?.wildcards === true ? '' : streamMute)
  const direct = { ...s.direct }
  const when = (isOn: boolean) => ({
    screen: direct.screen && isOn,
    sound: direct.sound && isOn,
    push: direct.push && isOn,
    mail: direct.mail && isOn,
  })
  const followed = isStream && reader.topicPolicy === 'followed'
  return [
    { rule: 'R1', applies: !isStream, mute: '', ...direct },
    { rule: 'R2', applies: mentions.byName, mute: '', ...direct },
    { rule: 'R3', applies: size > 0 && size <= where.crowdLimit, mute: '', ...direct },
    { rule: 'R5', applies: followed && mentions.everyone, mute: place, ...when(s.followedWildcards) },
    { rule: 'R6', applies: mentions.everyone && !crowd, mute: wildcardPlace, ...when(wildcards) },
    {
      rule: 'R7',
      applies: (mentions.everyone && crowd) || size > where.crowdLimit,
      mute: wildcardPlace,
      ...when(wildcards),
      mail: false,
    },
    {
      rule: 'R4',
      applies: mentions.alertWord,
      mute: place,
      ...direct,
      push: direct.push && s.alertWordPush,
      mail: direct.mail && s.alertWordMail,
    },
    { rule: 'R8', applies: followed, mute: place, ...s.followedTopics },
    {
      rule: 'R9',
      applies: isStream,
      mute: place,
      screen: own?.screen ?? s.streams.screen,
      sound: own?.sound ?? s.streams.sound,
      push: own?.push ?? s.streams.push,
      mail: own?.mail ?? s.streams.mail,
    },
  ]
}

type Times = [at: number, rule: string][]

function listPushTimes(input: DecisionInput, quietUntil: number | undefined): Times {
  const { message, now, reader, earlier } = input
  const isAway = at140(input) <= now.at
  const first: Times[number] = now.isPresenceHidden
    ? [message.sentAt + 15_000, 'T7']
    : isAway
      ? [message.sentAt + 2_000, 'T1']
      : reader.settings.pushWhileActive
        ? [message.sentAt + 12_000, 'T2']
        : [at140(input), 'T3']
  return [
    first,
    ...(earlier.conversationPushedAt === undefined
      ? []
      : ([[earlier.conversationPushedAt + 20_000, 'T5']] satisfies Times)),
    ...(earlier.lastPushAt === undefined || earlier.pushesInTenMinutes < 20
      ? []
      : ([[earlier.lastPushAt + 20_000, 'T6']] satisfies Times)),
    ...(quietUntil === undefined ? [] : ([[quietUntil, 'T4']] satisfies Times)),
  ]
}

function listMailTimes({ message, now, reader, earlier }: DecisionInput): Times {
  const pause = [0, 15 * 60_000][earlier.unansweredMails] ?? 3_600_000
  const times: [number | undefined, string][] = [
    [(earlier.gatheringSince ?? message.sentAt) + reader.settings.mailDelayMs, 'T8'],
    [now.isPresenceHidden ? message.sentAt + 15_000 : undefined, 'T7'],
    [earlier.pushAcceptedAt === undefined ? undefined : earlier.pushAcceptedAt + 30 * 60_000, 'T9'],
    [
      earlier.conversationMailedAt === undefined || earlier.unansweredMails === 0
        ? undefined
        : earlier.conversationMailedAt + pause,
      'T11',
    ],
    [
      earlier.lastMailAt === undefined || (earlier.mailsInHour < 20 && earlier.mailsInDay < 60)
        ? undefined
        : earlier.lastMailAt + 3_600_000,
      'T12',
    ],
  ]
  return times.filter((time): time is Times[number] => time[0] !== undefined)
}
