import { z } from 'zod'
import { bold, bullets, id, line, link, optional, text, url } from '../../writing.ts'
import { showBlocks } from './blocks.ts'
import { toMarkdown } from './mrkdwn.ts'

const maxAttachments = 20

const attachment = z.object({
  pretext: optional(text),
  author_name: optional(text),
  author_link: optional(url),
  title: optional(text),
  title_link: optional(url),
  text: optional(text),
  fields: optional(z.array(z.object({ title: optional(text), value: optional(id) }))),
  blocks: optional(z.array(z.unknown())),
  image_url: optional(url),
  footer: optional(text),
  fallback: optional(text),
})
type Attachment = z.output<typeof attachment>

export function showAttachments(attachments: readonly unknown[]): string {
  return attachments
    .slice(0, maxAttachments)
    .map((value) => {
      const result = attachment.safeParse(value)
      return result.success ? showAttachment(result.data) : ''
    })
    .filter(Boolean)
    .join('\n\n')
}

function showAttachment(shown: Attachment): string {
  const { pretext, author_name, author_link, title, title_link, text, fields = [], blocks = [] } = shown
  const body = [
    pretext && toMarkdown(pretext),
    author_name && link(author_name, author_link),
    title && bold(title_link ? link(title, title_link) : toMarkdown(title)),
    text && toMarkdown(text),
    bullets(fields.map(showField).filter((field) => field !== '')),
    showBlocks(blocks),
    shown.image_url && link('image', shown.image_url),
  ].filter(Boolean)
  // Slack shows the fallback if the attachment has nothing else to show.
  if (body.length === 0) return shown.fallback ? toMarkdown(shown.fallback) : ''
  const footer = shown.footer && `*${line(shown.footer).replaceAll('*', '')}*`
  return footer ? `${body.join('\n')}\n\n${footer}` : body.join('\n')
}

function showField({ title, value }: { title?: string | undefined; value?: string | undefined }): string {
  const words = value && line(toMarkdown(value))
  return title && words ? `${bold(title)}: ${words}` : (words ?? '')
}
