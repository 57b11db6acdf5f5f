import type { Archive } from './archive.ts'

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

/** One sentence for all messages, for archives that are not searched. */
export const roses: MessageTexts = {
  prepare: async () => {},
  lots: [],
  text: `'Message ' || id || ': the roses by the south wall want pruning before the first frost.'`,
  drawn: [],
  drawnJoins: '',
  words: `'{}'`,
  topicWords: `'{}'`,
  madeJoins: '',
}
