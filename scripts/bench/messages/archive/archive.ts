import type { Account } from '@oxbow/testkit'
import type { BenchStream, LargeOrganization } from '../../subscriptions/large-organization.ts'
import type { Conversation } from './conversations.ts'

/** Returns whether the reader is subscribed to the stream of this rank, which is every fourth one. */
export const isReadByReader = (rank: number): boolean => rank % 4 === 0

/** An organization with very many messages, and an account that reads them. */
export interface Archive extends LargeOrganization {
  /** Streams, the one with most messages first. */
  streams: readonly BenchStream[]
  /** Conversations, the one with most messages first. */
  conversations: readonly Conversation[]
  reader: Account
  rows: number
  messageTexts: MessageTexts
  /** Id before the first message. */
  floor: number
}

/** Generates the texts of an archive, as parts of the SQL statement that inserts the messages. */
export interface MessageTexts {
  /** Creates the tables that the SQL needs. */
  prepare(archive: Archive): Promise<void>
  /** Random columns of each message. */
  lots: readonly string[]
  /** Expression of the text over the random columns. It must not need escapes in HTML. */
  text: string
  /** Further columns, for `words` and `topicWords`. */
  drawn: readonly string[]
  drawnJoins: string
  /** Expressions of the columns `words` and `topic_words`. */
  words: string
  topicWords: string
  madeJoins: string
}
