import type { Archive } from './archive.ts'

/** What is said in an archive, as pieces of the SQL that fills it. */
export interface Speech {
  /** Makes the tables that the pieces need. */
  prepare(archive: Archive): Promise<void>
  /** Columns that are drawn by lot for each message. */
  lots: readonly string[]
  /** The text, of those. It must need no escape in HTML. */
  text: string
  /** Columns of it that the words need. */
  drawn: readonly string[]
  drawnJoins: string
  /** The columns of that name, of what was drawn. */
  words: string
  topicWords: string
  madeJoins: string
}

/** Always the same, and nobody looks for it. */
export const roses: Speech = {
  prepare: async () => {},
  lots: [],
  text: `'Message ' || id || ': the roses by the south wall want pruning before the first frost.'`,
  drawn: [],
  drawnJoins: '',
  words: `'{}'`,
  topicWords: `'{}'`,
  madeJoins: '',
}
