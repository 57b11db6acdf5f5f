/** Everything that the code of an integration may import. */

export type { Delivery } from './kernel/integration.ts'
export { integration } from './kernel/integration.ts'
export {
  ignore,
  type Outcome,
  type OutgoingMessage,
  postMessages,
  type Refused,
  refuse,
  respondWith,
  unsupported,
} from './kernel/outcome.ts'
export { anything, id, number, optional, read, text, url } from './kernel/payload.ts'
export { bodyHmac, isSame, type Signature, type Signed, sharedToken, timedHmac } from './kernel/signature.ts'
export { bullets, codeBlock, details, lines, paragraphs, quote, verbatim } from './markdown/block.ts'
export { icons } from './markdown/icons.ts'
export { bold, code, line, link, mute } from './markdown/text.ts'
export { moment, timestamp, when } from './markdown/time.ts'
export { count, list, replaceUnderscores, sentence } from './markdown/words.ts'
