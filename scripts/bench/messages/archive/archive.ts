import type { Account } from '@oxbow/testkit'
import type { BenchStream, LargeOrganization } from '../../subscriptions/large-organization.ts'
import type { Conversation } from './conversations.ts'

/** An organization with very many messages, and an account that reads them. */
export interface Archive extends LargeOrganization {
  /** Streams, the one with most messages first. */
  streams: readonly BenchStream[]
  /** Conversations, the one with most messages first. */
  conversations: readonly Conversation[]
  reader: Account
  /** Streams to which the reader is subscribed, the one with most messages first. */
  readStreams: readonly BenchStream[]
  rows: number
  messageTexts: MessageTexts
  /** The message id before that of the first message. */
  floor: number
}

/** Generates the texts of an archive, as parts of the SQL statement that inserts the messages. */
export interface MessageTexts {
  /** Creates the tables that the SQL needs. */
  prepare(archive: Archive): Promise<void>
  /** Expressions that draw random values for each message. */
  lots: readonly string[]
  /** Expression of the text, which uses the random columns. The text must not need HTML escapes. */
  text: string
  /** Further columns, which `words` and `topicWords` use. */
  drawn: readonly string[]
  drawnJoins: string
  /** Expressions of the columns `words` and `topic_words`. */
  words: string
  topicWords: string
  madeJoins: string
}
