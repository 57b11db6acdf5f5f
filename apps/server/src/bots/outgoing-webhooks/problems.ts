import type { OutboundRefusalReason } from '../../platform/outbound/outbound-refusal.ts'
import { codeBlock, type NoticeText, notice } from '../../streams/notice-text.ts'

const descriptions: Readonly<Record<OutboundRefusalReason, NoticeText>> = {
  'bad url': notice`its URL is not valid: it must begin with \`http://\` or \`https://\`, and contain neither a name nor a password`,
  'port refused': notice`the port of its URL is not allowed: 80, 443 and most ports from 1024 on are`,
  'address refused': notice`its URL leads to a private address, which the operator of this server has not allowed (\`OXBOW_OUTWARD_ALLOWED_NETWORKS\`)`,
  'unknown host': notice`no address of its host was found in DNS, where names such as \`localhost\` are unknown`,
  unreachable: notice`its server could not be reached: nothing listens at this address and port, or it hung up`,
  'no secure connection': notice`there was no secure connection to its server: its certificate is not valid, or it does not speak HTTPS at this port`,
  'bad response': notice`the answer of its server was not valid HTTP`,
  'too large': notice`the answer of its server was too large: at most 200,000 bytes are read, and 16 KiB of headers`,
  'too slow': notice`its server did not answer within 10 seconds`,
  'too many redirects': notice`its server redirects`,
  busy: notice`too many requests to its server were waiting`,
  aborted: notice`this server was stopped`,
}

/** Says why a bot's server gave no answer, as the end of a sentence about the bot. */
export const describeRefusal = (reason: OutboundRefusalReason): NoticeText => descriptions[reason]

const maxQuotedCharacters = 500

/** Quotes the beginning of an answer in a code block, or says that it was empty. */
export function quoteAnswer(body: Buffer): NoticeText {
  const beginning = [...body.toString('utf8', 0, maxQuotedCharacters * 4)].slice(0, maxQuotedCharacters)
  const text = beginning.join('').replaceAll('\0', '').trim()
  return text === '' ? notice`The answer was empty.` : codeBlock(text)
}
