import { z } from 'zod'
import { integration, line, optional, postMessages, text } from '../../writing.ts'
import { showAttachments } from './attachments.ts'
import { showBlocks } from './blocks.ts'
import { toMarkdown } from './mrkdwn.ts'

const payload = z.object({
  channel: optional(text),
  text: optional(text),
  icon_emoji: optional(z.string().regex(/^:[\w+-]+:$/)),
  blocks: optional(z.array(z.unknown())),
  attachments: optional(z.array(z.unknown())),
})

export const service = integration({
  title: 'Slack-compatible webhook',
  client: 'SlackIncoming',
  category: 'Communication',
  body: { kind: 'json or field', field: 'payload' },
  payload,
  translate({ payload }) {
    const topic = line(payload.channel?.replace(/^[#@]/, '') ?? '') || '(no topic)'
    const content = formatPayload(payload)
    // Programs written for Slack check for this field.
    return { ...postMessages(...(content === '' ? [] : [{ topic, content }])), responseFields: { ok: true } }
  },
})

/** Formats a payload. If there are blocks, the text is left out, as Slack shows it only in notifications. */
function formatPayload({
  text,
  icon_emoji,
  blocks = [],
  attachments = [],
}: z.output<typeof payload>): string {
  const fromBlocks = showBlocks(blocks)
  const words = fromBlocks === '' && text ? toMarkdown(text) : ''
  // A fenced block must begin on its own line.
  const separator = /^(?:```|~~~)/.test(words) ? '\n' : ' '
  const withIcon = words && icon_emoji ? icon_emoji + separator + words : words
  return [fromBlocks, withIcon, showAttachments(attachments)].filter(Boolean).join('\n\n')
}
