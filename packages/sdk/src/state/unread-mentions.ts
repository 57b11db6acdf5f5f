import type { MessageFlag, MessageId, UnreadMessages } from '@oxbow/contract'
import { commonIds, withIds, withoutIds } from './id-lists.ts'
import type { IsMuted } from './muting.ts'
import { withFields } from './shared.ts'

/**
 * How a message mentions the account. A personal mention takes precedence over a wildcard mention.
 */
export type Mention = 'personal' | 'wildcard' | undefined

export function getMention(flags: readonly MessageFlag[]): Mention {
  if (flags.includes('mentioned')) return 'personal'
  return flags.includes('wildcard_mentioned') ? 'wildcard' : undefined
}

export interface MentionChange {
  id: MessageId
  mention: Mention
  /** Whether the message is in a muted stream or topic. */
  isMuted: boolean
}

/** Returns the unread messages after mentions changed. */
export function setMentions(unread: UnreadMessages, messages: readonly MentionChange[]): UnreadMessages {
  const idsOf = (isWanted: (message: MentionChange) => boolean) =>
    messages.filter(isWanted).map(({ id }) => id)
  const isShown = ({ mention, isMuted }: MentionChange) =>
    mention === 'personal' || (mention === 'wildcard' && !isMuted)
  const isWildcard = ({ mention }: MentionChange) => mention === 'wildcard'
  const replaceIds = (list: MessageId[], isIn: (message: MentionChange) => boolean) =>
    withIds(withoutIds(list, new Set(idsOf((message) => !isIn(message)))), idsOf(isIn))
  return withFields(unread, {
    mentions: replaceIds(unread.mentions, isShown),
    wildcard_mentions: replaceIds(unread.wildcard_mentions, isWildcard),
  })
}

/**
 * Returns the mentions after muting changed. Wildcard mentions in muted streams and topics are left
 * out.
 */
export function recomputeMentions(
  { mentions, wildcard_mentions, streams }: UnreadMessages,
  isMuted: IsMuted,
) {
  if (wildcard_mentions.length === 0) return mentions
  const wildcard = new Set(wildcard_mentions)
  const mutedIds = new Set(
    streams.flatMap(({ stream_id, topic, unread_message_ids }) => {
      const found = commonIds(unread_message_ids, wildcard)
      return found.length > 0 && isMuted(stream_id, topic) ? found : []
    }),
  )
  return withIds(
    withoutIds(mentions, mutedIds),
    wildcard_mentions.filter((id) => !mutedIds.has(id)),
  )
}
