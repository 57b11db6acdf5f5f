import { writeCode, writeCodeBlock } from '@oxbow/markdown/write-markdown'
import type { TextWriter } from '../model/source.ts'
import { escapeInline, escapeText } from '../text/escape.ts'
import { field, idOf, isTrue, listOf, textOf } from '../values.ts'
import { showLink } from './mrkdwn.ts'

const maxDepth = 10
const maxIndent = 8

/** Converts the rich text of Slack's editor, which keeps the structure exactly. */
export function richTextToMarkdown(block: unknown, writer: TextWriter): string {
  return listOf(block, 'elements')
    .map((section) => showSection(section, writer))
    .filter((text) => text !== '')
    .join('\n')
}

function showSection(section: unknown, writer: TextWriter): string {
  switch (textOf(section, 'type')) {
    case 'rich_text_section':
      return showInline(section, writer).replace(/\n$/, '')
    case 'rich_text_list':
      return showList(section, writer)
    case 'rich_text_quote':
      return showInline(section, writer)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    case 'rich_text_preformatted':
      return writeCodeBlock(plainOf(section))
    default:
      writer.lose('unknown_element')
      return escapeText(plainOf(section))
  }
}

function showList(list: unknown, writer: TextWriter): string {
  const indent = '  '.repeat(Math.min(maxIndent, Math.max(0, Number(field(list, 'indent')) || 0)))
  const offset = Math.max(0, Math.trunc(Number(field(list, 'offset')) || 0))
  const isOrdered = textOf(list, 'style') === 'ordered'
  return listOf(list, 'elements')
    .map((item, index) => {
      const mark = isOrdered ? `${offset + index + 1}.` : '-'
      return `${indent}${mark} ${showInline(item, writer).trim().replaceAll('\n', ' ')}`
    })
    .join('\n')
}

const showInline = (section: unknown, writer: TextWriter): string =>
  listOf(section, 'elements')
    .map((element) => showElement(element, writer))
    .join('')

function showElement(element: unknown, writer: TextWriter): string {
  const text = textOf(element, 'text')
  switch (textOf(element, 'type')) {
    case 'text':
      return applyStyle(text, field(element, 'style'))
    case 'link':
      return showLink(textOf(element, 'url'), text, writer)
    case 'user':
      return writer.mention(idOf(element, 'user_id'))
    case 'usergroup':
      return writer.mentionGroup(idOf(element, 'usergroup_id'))
    case 'channel':
      return writer.placeLink(idOf(element, 'channel_id'))
    case 'broadcast':
      return writer.mentionAll(textOf(element, 'range'))
    case 'emoji':
      return writer.emoji(textOf(element, 'name'))
    case 'date':
      return escapeInline(textOf(element, 'fallback') || idOf(element, 'timestamp'))
    case 'color':
      return escapeInline(textOf(element, 'value'))
    default: {
      const shown = text || textOf(element, 'fallback') || textOf(element, 'url')
      if (shown === '') writer.lose('unknown_element')
      return escapeText(shown)
    }
  }
}

/** Wraps the words of each line in the marks of the style; spaces at the edges stay outside. */
function applyStyle(text: string, style: unknown): string {
  if (isTrue(style, 'code')) return text.split('\n').map(writeCode).join('\n')
  const marks = [
    ...(isTrue(style, 'strike') ? ['~~'] : []),
    ...(isTrue(style, 'bold') ? ['**'] : []),
    ...(isTrue(style, 'italic') ? ['*'] : []),
  ]
  if (marks.length === 0) return escapeText(text)
  return text
    .split('\n')
    .map((line) => {
      const words = line.trim()
      if (words === '') return line
      const [before = '', after = ''] = line.split(words)
      return `${before}${marks.join('')}${escapeInline(words)}${marks.toReversed().join('')}${after}`
    })
    .join('\n')
}

/** Returns all texts below a value, without formatting. */
function plainOf(value: unknown, depth = 0): string {
  if (depth > maxDepth) return ''
  const own = textOf(value, 'text') || textOf(value, 'url')
  return (
    own +
    listOf(value, 'elements')
      .map((element) => plainOf(element, depth + 1))
      .join('')
  )
}
