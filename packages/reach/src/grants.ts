import type { ChannelSettings, DecisionInput } from './input.ts'
import { type Reason, type RuleId, reasonsOf } from './rules.ts'

export type Channel = keyof ChannelSettings

/** Lists why the message concerns the reader, in the order in which reasons are named. */
export function listReasons(input: DecisionInput): readonly Reason[] {
  const { isPrivate } = input.message
  const { byName, groupSize, everyone, alertWord } = input.mentions
  const { subscribers, crowdLimit } = input.where
  const isFollowed = !isPrivate && input.reader.topicPolicy === 'followed'
  const isLargeGroup = groupSize !== undefined && groupSize > crowdLimit
  const isCrowd = !isPrivate && subscribers > crowdLimit
  const applies: Record<Reason, boolean> = {
    R1: isPrivate,
    R2: byName,
    R3: groupSize !== undefined && !isLargeGroup,
    R4: alertWord,
    R5: everyone && isFollowed,
    R6: everyone && !isCrowd,
    R7: (everyone && isCrowd) || isLargeGroup,
    R8: isFollowed,
    R9: !isPrivate,
  }
  return reasonsOf.filter((reason) => applies[reason])
}

/** Returns the rule by which a reason does not grant the channel; undefined if it does. */
export function findRefusal(input: DecisionInput, reason: Reason, channel: Channel): RuleId | undefined {
  return findMute(input, reason) ?? (isOn(input, reason, channel) ? undefined : reason)
}

/** Personal mentions ignore muted places, and private messages have none. */
function findMute({ message, reader }: DecisionInput, reason: Reason): RuleId | undefined {
  if (message.isPrivate || reason === 'R2' || reason === 'R3') return undefined
  if (reader.topicPolicy === 'muted') return 'P1'
  if (!reader.isStreamMuted || reader.topicPolicy !== 'inherit') return undefined
  const isWildcard = reason === 'R6' || reason === 'R7'
  return isWildcard && reader.stream?.wildcards === true ? undefined : 'P2'
}

function isOn({ reader: { settings, stream } }: DecisionInput, reason: Reason, channel: Channel): boolean {
  const isDirectOn = settings.direct[channel]
  switch (reason) {
    case 'R1':
    case 'R2':
    case 'R3':
      return isDirectOn
    case 'R4':
      if (channel === 'push') return isDirectOn && settings.alertWordPush
      return channel === 'mail' ? isDirectOn && settings.alertWordMail : isDirectOn
    case 'R5':
      return isDirectOn && settings.followedWildcards
    case 'R6':
      return isDirectOn && (stream?.wildcards ?? settings.wildcards)
    case 'R7':
      return channel !== 'mail' && isDirectOn && (stream?.wildcards ?? settings.wildcards)
    case 'R8':
      return settings.followedTopics[channel]
    case 'R9':
      return stream?.[channel] ?? settings.streams[channel]
  }
}
