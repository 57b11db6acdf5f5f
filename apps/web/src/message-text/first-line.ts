import { trustRenderedHtml } from '../text/trusted.ts'

const maxCharacters = 160

/** Returns the first line of a stream's description as plain text. */
export function firstLine(html: string): string {
  const template = document.createElement('template')
  template.innerHTML = trustRenderedHtml(html)
  const [line = ''] = (template.content.textContent ?? '').trim().split('\n')
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}
