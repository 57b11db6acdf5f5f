import { z } from 'zod'
import { bold, bullets, line, link, optional, text, url, verbatim } from '../../writing.ts'
import { toMarkdown } from './mrkdwn.ts'

/** Slack's own limit. */
const maxBlocks = 50

export function showBlocks(blocks: readonly unknown[]): string {
  return blocks.slice(0, maxBlocks).map(showBlock).filter(Boolean).join('\n\n')
}

const block = z.object({ type: z.string() })

/** Returns an empty text for unknown kinds of blocks and for incomplete blocks. */
function showBlock(value: unknown): string {
  const type = block.safeParse(value).data?.type
  return (type !== undefined && Object.hasOwn(kinds, type) && kinds[type]?.(value)) || ''
}

const words = z
  .object({ type: optional(z.string()), text })
  .transform(({ type, text }) => (type === 'plain_text' ? line(text) : toMarkdown(text)))

const image = z.object({ image_url: url, alt_text: optional(text), title: optional(z.object({ text })) })
const showImage = ({ image_url, alt_text, title }: z.output<typeof image>) =>
  link(title?.text ?? alt_text ?? 'image', image_url)

const button = z.object({ text: z.object({ text }), url })
const showButton = ({ text, url }: z.output<typeof button>) => link(text.text, url)

const kinds: Record<string, (block: unknown) => string> = {
  section: reader(
    z.object({ text: optional(words), fields: optional(list(words)), accessory: z.unknown().optional() }),
    ({ text, fields = [], accessory }) =>
      [
        text,
        bullets(fields.map(line)),
        reader(image, showImage)(accessory),
        reader(button, showButton)(accessory),
      ]
        .filter(Boolean)
        .join('\n'),
  ),
  header: reader(z.object({ text: z.object({ text }) }), ({ text }) => bold(text.text)),
  divider: () => '---',
  image: reader(image, showImage),
  context: reader(
    z.object({ elements: list(z.union([words, image.transform(showImage)])) }),
    ({ elements }) => elements.join(' '),
  ),
  actions: reader(z.object({ elements: list(button) }), ({ elements }) =>
    elements.map(showButton).join(' | '),
  ),
  rich_text: reader(z.object({ elements: z.array(z.unknown()) }), ({ elements }) =>
    verbatim(richText(elements, 0).replace(/ {2,}/g, ' ')),
  ),
}

const piece = z.object({
  type: z.string(),
  text: optional(z.string()),
  url: optional(url),
  name: optional(text),
  user_id: optional(text),
  elements: optional(z.array(z.unknown())),
})

/** Renders rich text of Slack's editor: sections, lists and quotes, which contain texts, links and emoji. */
function richText(elements: readonly unknown[], depth: number): string {
  if (depth > 5) return ''
  return elements
    .map((element) => {
      const {
        type,
        text,
        url,
        name,
        user_id,
        elements: inside = [],
      } = piece.safeParse(element).data ?? { type: '' }
      const within = () => richText(inside, depth + 1)
      if (type === 'rich_text_section') return `${within()}\n`
      if (type === 'rich_text_list')
        return `${bullets(
          within()
            .split('\n')
            .filter((text) => text.trim() !== ''),
        )}\n`
      if (type === 'rich_text_quote') return `> ${line(within())}\n`
      if (type === 'rich_text_preformatted') return toMarkdown(`\`\`\`${within()}\`\`\``)
      if (type === 'emoji') return name === undefined ? '' : `:${line(name)}:`
      if (type === 'user') return user_id === undefined ? '' : `@${line(user_id)}`
      if (type === 'link' && url !== undefined) return text?.trim() ? link(text, url) : url
      return text ?? ''
    })
    .join('')
}

function reader<Schema extends z.ZodType>(schema: Schema, show: (block: z.output<Schema>) => string) {
  return (value: unknown): string => {
    const result = schema.safeParse(value)
    return result.success ? show(result.data) : ''
  }
}

/** Parses the valid items of a list and skips the others. */
function list<Schema extends z.ZodType>(schema: Schema) {
  return z.array(z.unknown()).transform((items) =>
    items.flatMap((item) => {
      const result = schema.safeParse(item)
      return result.success ? [result.data] : []
    }),
  )
}
