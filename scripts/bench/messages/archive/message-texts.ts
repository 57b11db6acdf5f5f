import type { MessageTexts } from './archive.ts'

/** Uses one sentence for all messages, for archives that are not searched. */
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
