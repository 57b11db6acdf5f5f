import type { TextWriter } from '../model/source.ts'
import { escapeInline, escapeText, writeLink } from '../text/escape.ts'
import { field, isTrue, listOf, textOf } from '../values.ts'
import { mrkdwnToMarkdown, showLink } from './mrkdwn.ts'
import { richTextToMarkdown } from './rich-text.ts'

const maxBlocks = 100
const maxAttachments = 100

/** Parts of a message that its text is written from. */
export interface SlackBody {
  text: string
  blocks: readonly unknown[]
  attachments: readonly unknown[]
  isMe: boolean
  /** A call: who took part, and how long it took. */
  room?: { people: readonly string[]; minutes: number }
}

/** Writes the text of a message: from its blocks if they have words, else from its text, and its attachments. */
export function messageToMarkdown(body: SlackBody, writer: TextWriter): string {
  const { text, blocks, attachments, isMe, room } = body
  if (room) return showRoom(room, writer)
  const shownBlocks = showBlocks(blocks, writer)
  const words = shownBlocks || mrkdwnToMarkdown(text, writer)
  const parts = [
    isMe ? `/me ${words.trimStart()}` : words,
    ...attachments.slice(0, maxAttachments).map((attachment) => showAttachment(attachment, writer)),
  ]
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}

function showRoom({ people, minutes }: NonNullable<SlackBody['room']>, writer: TextWriter): string {
  const names = people.map((person) => writer.mention(person).replace('@**', '@_**'))
  const duration = minutes > 0 ? `, ${minutes} minutes` : ''
  const others = names.length > 0 ? ` with ${names.join(', ')}` : ''
  return `*Huddle${duration}*${others}`
}

const showBlocks = (blocks: readonly unknown[], writer: TextWriter): string =>
  blocks
    .slice(0, maxBlocks)
    .map((block) => showBlock(block, writer))
    .filter((part) => part.trim() !== '')
    .join('\n\n')

function showBlock(block: unknown, writer: TextWriter): string {
  switch (textOf(block, 'type')) {
    case 'rich_text':
      return richTextToMarkdown(block, writer)
    case 'section':
      return [
        showWords(field(block, 'text'), writer),
        ...listOf(block, 'fields').map((each) => showWords(each, writer)),
        showImage(field(block, 'accessory')),
      ]
        .filter(Boolean)
        .join('\n')
    case 'header':
      return bold(textOf(field(block, 'text'), 'text'))
    case 'context':
      return listOf(block, 'elements')
        .map((each) => showWords(each, writer) || showImage(each))
        .filter(Boolean)
        .join(' ')
    case 'image':
      return showImage(block)
    case 'video':
      return showLink(textOf(block, 'video_url'), textOf(field(block, 'title'), 'text'), writer)
    case 'markdown':
      return escapeText(textOf(block, 'text'))
    case 'divider':
    case 'actions':
    case 'input':
    case 'call':
    case 'file':
      return ''
    default:
      writer.lose('unknown_block')
      return ''
  }
}

function showWords(value: unknown, writer: TextWriter): string {
  const text = textOf(value, 'text')
  return textOf(value, 'type') === 'plain_text' ? escapeText(text) : mrkdwnToMarkdown(text, writer)
}

function showImage(value: unknown): string {
  const url = textOf(value, 'image_url')
  return url === '' ? '' : writeLink(textOf(value, 'alt_text') || 'image', url)
}

const bold = (text: string): string => (text.trim() === '' ? '' : `**${escapeInline(text.trim())}**`)

/** Previews of links are dropped: the link is in the text, and previews are made again. */
function showAttachment(attachment: unknown, writer: TextWriter): string {
  if (isTrue(attachment, 'is_msg_unfurl') || isTrue(attachment, 'is_share'))
    return showShared(attachment, writer)
  if (textOf(attachment, 'from_url') !== '') return ''
  const title = textOf(attachment, 'title')
  const link = textOf(attachment, 'title_link')
  const parts = [
    mrkdwnToMarkdown(textOf(attachment, 'pretext'), writer),
    escapeInline(textOf(attachment, 'author_name')),
    link === '' ? bold(title) : `**${writeLink(title, link)}**`,
    mrkdwnToMarkdown(textOf(attachment, 'text'), writer),
    ...listOf(attachment, 'fields').map((each) => {
      const [name, value] = [textOf(each, 'title'), mrkdwnToMarkdown(textOf(each, 'value'), writer)]
      return name === '' ? value : `${bold(name)}: ${value}`
    }),
    showBlocks(listOf(attachment, 'blocks'), writer),
    showImage(attachment),
  ].filter((part) => part.trim() !== '')
  return parts.length > 0 ? parts.join('\n') : mrkdwnToMarkdown(textOf(attachment, 'fallback'), writer)
}

/** A message that was shared from elsewhere becomes a quote. */
function showShared(attachment: unknown, writer: TextWriter): string {
  const words = mrkdwnToMarkdown(textOf(attachment, 'text') || textOf(attachment, 'fallback'), writer)
  if (words.trim() === '') return ''
  const author = escapeInline(textOf(attachment, 'author_name'))
  const quoted = words
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  return author === '' ? quoted : `${author}:\n${quoted}`
}
