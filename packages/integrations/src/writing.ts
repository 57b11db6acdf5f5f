/** What an integration is written with. */

export type { Delivery } from './kernel/integration.ts'
export { integration } from './kernel/integration.ts'
export { answer, ignore, type Outcome, refuse, type Said, say, unsupported } from './kernel/outcome.ts'
export { anything, id, number, optional, read, text, url } from './kernel/payload.ts'
export { bodyHmac, isSame, type Signature, sharedToken } from './kernel/signature.ts'
export { bullets, codeBlock, quote } from './markdown/block.ts'
export { bold, code, line, link, mute } from './markdown/text.ts'
export { count, list, sentence, unscored } from './markdown/words.ts'
