import { writeCode, writeCodeBlock } from '@oxbow/markdown/write-markdown'
import type { TextWriter } from '../model/source.ts'
import { escapeInline, escapeText, writeLink, writeUrl } from '../text/escape.ts'
import { findPermalink } from './permalinks.ts'

const code = /(```[\s\S]+?```|`[^`\n]+`)/
const reserved = /[\ue000-\ue004]/g
/** Stand for tags and marks while the text around them is escaped. */
const [tagStart, tagEnd, bold, italic, struck] = ['\ue000', '\ue001', '\ue002', '\ue003', '\ue004']

/** Converts Slack's own markup: `*bold*`, `_italic_`, `~struck~`, `<@U1>`, `<https://…|label>`, `&lt;`. */
export function mrkdwnToMarkdown(mrkdwn: string, writer: TextWriter): string {
  return mrkdwn
    .replace(/\r\n?/g, '\n')
    .replace(reserved, '')
    .split(code)
    .map((part, index) => (index % 2 === 1 ? showCode(part) : showWords(part, writer)))
    .join('')
}

function showCode(part: string): string {
  if (!part.startsWith('```')) return writeCode(decodeEntities(part.slice(1, -1)))
  return `\n${writeCodeBlock(decodeEntities(part.slice(3, -3)).replace(/^\n/, ''))}\n`
}

function showWords(part: string, writer: TextWriter): string {
  const tags: string[] = []
  const keep = (markdown: string) => `${tagStart}${tags.push(markdown) - 1}${tagEnd}`
  const withoutTags = part
    .replace(/<([^<>\n]+)>/g, (_, tag: string) => keep(showTag(tag, writer)))
    .replace(/:([\w+-]{1,100}(?:::skin-tone-\d)?):/g, (_, name: string) =>
      keep(writer.emoji(withoutTone(name))),
    )
  const lines = withoutTags.split('\n')
  const rest = lines.findIndex((line) => line.startsWith('&gt;&gt;&gt;'))
  return lines
    .map((line, index) => {
      const isQuoted = line.startsWith('&gt;') || (rest !== -1 && index > rest)
      const words = isQuoted ? line.replace(/^(?:&gt;&gt;&gt;|&gt;) ?/, '') : line
      return `${isQuoted ? '> ' : ''}${escapeText(emphasize(decodeEntities(words)))}`
    })
    .join('\n')
    .replace(/\ue000(\d+)\ue001/g, (_, index) => tags[Number(index)] ?? '')
    .replaceAll(bold, '**')
    .replaceAll(italic, '*')
    .replaceAll(struck, '~~')
}

const marks = { '\\*': bold, _: italic, '~': struck } as const
const emphasis = Object.entries(marks).map(([mark, sign]) => ({
  sign,
  pattern: new RegExp(
    `(^|[^\\p{L}\\p{N}${mark}])${mark}(?=\\S)([^${mark}\\n]{0,2000}[^${mark}\\s])${mark}(?![\\p{L}\\p{N}${mark}])`,
    'gu',
  ),
}))

const emphasize = (line: string): string =>
  emphasis.reduce((text, { pattern, sign }) => text.replace(pattern, `$1${sign}$2${sign}`), line)

/** Converts what stands in angle brackets. */
function showTag(tag: string, writer: TextWriter): string {
  const [target = '', ...labels] = tag.split('|')
  const label = decodeEntities(labels.join('|'))
  if (target.startsWith('@')) return writer.mention(target.slice(1), label.replace(/^@/, ''))
  if (target.startsWith('#')) return writer.placeLink(target.slice(1), label.replace(/^#/, ''))
  if (target.startsWith('!')) return showCommand(target.slice(1), label, writer)
  return showLink(decodeEntities(target), label, writer)
}

function showCommand(command: string, label: string, writer: TextWriter): string {
  const [name = '', id = ''] = command.split('^')
  if (['here', 'channel', 'everyone'].includes(name)) return writer.mentionAll(name)
  if (name === 'subteam') return writer.mentionGroup(id, label.replace(/^@/, ''))
  return escapeInline(label || command)
}

/** Writes a link. One to a message of the archive leads to the message here. */
export function showLink(url: string, label: string, writer: TextWriter): string {
  const ref = findPermalink(url)
  const own = ref && writer.messageUrl(ref)
  if (own !== undefined) return writeLink(label || 'message', own)
  if (label === '' || label === url) return writeUrl(url)
  return writeLink(label, url)
}

export const decodeEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

export const withoutTone = (name: string): string => name.replace(/::skin-tone-\d$/, '')
