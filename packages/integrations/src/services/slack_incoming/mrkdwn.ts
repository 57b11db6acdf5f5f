import { codeBlock, line, link, url, verbatim } from '../../writing.ts'

/**
 * Converts Slack's markup to Markdown: `*bold*`, `_emphasis_`, `<https://example.com|links>`,
 * escaped `&lt;`.
 */
export function toMarkdown(mrkdwn: string): string {
  const parts = mrkdwn
    .replace(/\r\n?/g, '\n')
    .replace(/[\uE000-\uE002]/g, '')
    .split(codes)
  const markdown = parts.map((part, index) => (index % 2 === 1 ? showCode(part) : showWords(part))).join('')
  return verbatim(markdown.replace(/\n{3,}/g, '\n\n'))
}

const codes = /(```[\s\S]+?```|`[^`\n]+`)/

function showCode(part: string): string {
  const words = unescapeEntities(part)
  return words.startsWith('```') ? `\n${codeBlock(words.slice(3, -3).replace(/^\n/, ''))}\n` : words
}

/**
 * Converts text outside of code. Texts in angle brackets are replaced by placeholders while
 * emphasis is converted, so that `_` in a URL is not read as emphasis.
 */
function showWords(part: string): string {
  const convertedTags: string[] = []
  const words = part
    // Three unbalanced backticks would turn the rest of the text into code.
    .replace(/`{3,}/g, "'''")
    .replace(/<([^<>\n]+)>/g, (_, tag: string) => `\uE000${convertedTags.push(showTag(tag)) - 1}\uE001`)
  return unescapeEntities(emphasize(words)).replace(
    /\uE000(\d+)\uE001/g,
    (_, index) => convertedTags[index] ?? '',
  )
}

function emphasize(words: string): string {
  return words
    .replace(matchBetween('*'), '$1\uE002$2\uE002')
    .replace(matchBetween('_'), '$1*$2*')
    .replace(matchBetween('~'), '$1~~$2~~')
    .replaceAll('\uE002', '**')
}

function matchBetween(mark: '*' | '_' | '~'): RegExp {
  const m = mark === '*' ? '\\*' : mark
  return new RegExp(
    `(^|[^\\p{L}\\p{N}${m}])${m}(?=\\S)([^${m}\\n]*[^${m}\\s])${m}(?![\\p{L}\\p{N}${m}])`,
    'gmu',
  )
}

/**
 * Converts a tag: `https://…|label`, `@U123|name`, `#C123|name`, `!here`, `!date^…^…|fallback` or
 * `mailto:…|label`.
 */
function showTag(tag: string): string {
  const [target = '', ...labels] = tag.split('|')
  const label = line(unescapeEntities(labels.join('|')))
  if (/^[@#]/.test(target)) return target[0] + (label || target.slice(1)).replace(/^[@#]/, '')
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0]}`
  const address = url.safeParse(unescapeEntities(target)).data
  if (address === undefined) return label || unescapeEntities(target).replace(/^mailto:/, '')
  return label === '' ? address : link(label, address)
}

function unescapeEntities(words: string): string {
  return words.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
