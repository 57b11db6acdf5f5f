import type { MessageFlag, MessageId, UnreadMessages } from '@oxbow/contract'
import { commonIds, withIds, withoutIds } from './id-lists.ts'
import type { IsMuted } from './muting.ts'
import { withFields } from './shared.ts'

/** Whoever is mentioned by name is not counted among those who are mentioned with everyone else. */
export type Mention = 'personal' | 'wildcard' | undefined

export function mentionIn(flags: readonly MessageFlag[]): Mention {
  if (flags.includes('mentioned')) return 'personal'
  return flags.includes('wildcard_mentioned') ? 'wildcard' : undefined
}

export interface Mentioning {
  id: MessageId
  mention: Mention
  /** In a muted stream or topic. */
  isQuiet: boolean
}

/** Unread messages, with what they mention from now on. */
export function setMentions(unread: UnreadMessages, messages: readonly Mentioning[]): UnreadMessages {
  const idsOf = (isWanted: (message: Mentioning) => boolean) => messages.filter(isWanted).map(({ id }) => id)
  const isShown = ({ mention, isQuiet }: Mentioning) =>
    mention === 'personal' || (mention === 'wildcard' && !isQuiet)
  const isWildcard = ({ mention }: Mentioning) => mention === 'wildcard'
  const place = (list: MessageId[], isIn: (message: Mentioning) => boolean) =>
    withIds(withoutIds(list, new Set(idsOf((message) => !isIn(message)))), idsOf(isIn))
  return withFields(unread, {
    mentions: place(unread.mentions, isShown),
    wildcard_mentions: place(unread.wildcard_mentions, isWildcard),
  })
}

/** The mentions after something was muted or is no longer: who is mentioned with everyone else hears nothing of that. */
export function mentionsWhen({ mentions, wildcard_mentions, streams }: UnreadMessages, isMuted: IsMuted) {
  if (wildcard_mentions.length === 0) return mentions
  const wildcard = new Set(wildcard_mentions)
  const quiet = new Set(
    streams.flatMap(({ stream_id, topic, unread_message_ids }) => {
      const found = commonIds(unread_message_ids, wildcard)
      return found.length > 0 && isMuted(stream_id, topic) ? found : []
    }),
  )
  return withIds(
    withoutIds(mentions, quiet),
    wildcard_mentions.filter((id) => !quiet.has(id)),
  )
}
