import { renderBody } from './enrich.ts'

/** Parts of a message that are hidden or have no words of the sender. */
const omitted = '.spoiler-content, .message_inline_image, .code-copy'

/** Returns the beginning of a message as one line of plain text, without the content of spoilers. */
export function readLine(html: string, maxCharacters = 200): string {
  const content = renderBody(html)
  for (const part of content.querySelectorAll(omitted)) part.remove()
  for (const emoji of content.querySelectorAll<HTMLImageElement>('img.emoji')) emoji.replaceWith(emoji.alt)
  // A formula contains its source once, and its signs twice.
  for (const formula of content.querySelectorAll('.katex'))
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '')
  const line = (content.textContent ?? '').replace(/\s+/g, ' ').trim()
  if (line.length <= maxCharacters) return line
  // Half of an emoji would be shown as a box.
  return `${line.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')}…`
}
