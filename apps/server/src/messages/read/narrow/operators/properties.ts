import { type HasOperand, type IsOperand, isResolvedTopic, resolvedMark } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { selectConversations } from '../../../search/search-locations.ts'
import { isReceived, isUnread, type Reader } from '../../../visibility.ts'
import { isFollowed, isMuted } from '../muting.ts'
import { buildNarrowError, type CompiledTerm, type EventMessage, type NarrowOperator } from '../operator.ts'

interface Kind {
  compile(reader: Reader): CompiledTerm
  /** Whether the kind is the same for all readers, so that also messages match that the reader did not receive. */
  isOfMessage?: true
  matchesEvent(message: EventMessage, flags: readonly string[]): boolean
}

const kinds: Readonly<Record<IsOperand, Kind>> = {
  private: {
    compile: () => ({
      condition: sql`m.is_private`,
      indexHints: { isPrivate: true },
      search: { locations: selectConversations },
    }),
    matchesEvent: ({ type }) => type === 'private',
  },
  starred: {
    compile: () => ({
      condition: sql`coalesce(own.is_starred, false)`,
      indexHints: { own: 'is_starred' },
      search: { isSmallSet: true },
    }),
    matchesEvent: (_message, flags) => flags.includes('starred'),
  },
  unread: {
    compile: (reader) => ({
      condition: isUnread(reader),
      indexHints: { isUnread: true },
      search: { isSmallSet: true },
    }),
    matchesEvent: (_message, flags) => !flags.includes('read'),
  },
  mentioned: {
    compile: (reader) => ({
      condition: sql`(coalesce(own.is_mentioned, false) or (m.mentions_wildcard and ${isReceived(reader)}))`,
      indexHints: { own: 'is_mentioned' },
      search: { isSmallSet: true },
    }),
    matchesEvent: (_message, flags) => flags.includes('mentioned'),
  },
  followed: {
    compile: (reader) => ({
      condition: isFollowed(reader),
      indexHints: { isFollowed: true },
    }),
    // Queues do not know what their accounts follow, so they deliver the messages of all topics.
    matchesEvent: () => true,
  },
  alerted: {
    compile: () => ({
      condition: sql`coalesce(own.has_alert_word, false)`,
      indexHints: { own: 'has_alert_word' },
      search: { isSmallSet: true },
    }),
    // For events, clients expect `is:alerted` to match only messages that mention the reader.
    matchesEvent: (_message, flags) => flags.includes('mentioned'),
  },
  resolved: {
    isOfMessage: true,
    compile: () => ({ condition: sql`(not m.is_private and starts_with(m.topic, ${resolvedMark}))` }),
    matchesEvent: (message) => message.type === 'stream' && isResolvedTopic(message.subject ?? ''),
  },
}
const kindsByName = new Map<unknown, Kind>(Object.entries(kinds))

/** Matches messages by the reader's flags, private messages, and messages of resolved topics. */
export const is: NarrowOperator = {
  compile({ reader, operand }) {
    const kind = kindsByName.get(operand)
    if (!kind) throw buildNarrowError(`unknown 'is' operand ${operand}`)
    return { ...kind.compile(reader), requiresReceived: !kind.isOfMessage }
  },
  matchesEvent: (message, flags, operand) => kindsByName.get(operand)?.matchesEvent(message, flags) ?? true,
}

const contents: Readonly<Record<HasOperand, RawBuilder<boolean>>> = {
  link: sql`m.has_link`,
  image: sql`m.has_image`,
  attachment: sql`m.has_attachment`,
}
const contentsByName = new Map<unknown, RawBuilder<boolean>>(Object.entries(contents))

/** Matches messages by the contents of their text: links, images or attachments. */
export const has: NarrowOperator = {
  compile({ operand }) {
    const condition = contentsByName.get(operand)
    if (!condition) throw buildNarrowError(`unknown 'has' operand ${operand}`)
    return { condition }
  },
}

/**
 * Matches all messages, or the messages of the home view, which leaves out muted streams and
 * topics.
 */
export const inView: NarrowOperator = {
  ignoresNegation: true,
  compile({ reader, operand }) {
    if (operand === 'all') return {}
    if (operand !== 'home') throw buildNarrowError(`unknown 'in' operand ${operand}`)
    return { condition: sql`not ${isMuted(reader)}`, indexHints: { isHome: true } }
  },
}
