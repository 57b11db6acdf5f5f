/** Characters that would end the text of a link, or begin another one. */
const special = /[[\]\\`\n]/g

/** Returns the Markdown of a link to an upload. */
export const linkTo = (name: string, uri: string): string =>
  `[${name.replace(special, ' ').trim() || 'file'}](${uri})`

/** Adds a link at the end of a text, on a separate line. */
export function appendLink(text: string, link: string): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${gap}${link}\n`
}

/** Replaces the text of the link to an upload. */
export function renameLink(text: string, uri: string, name: string): string {
  const end = text.indexOf(`](${uri})`)
  const start = end === -1 ? -1 : text.lastIndexOf('[', end)
  if (start === -1) return text
  return text.slice(0, start) + linkTo(name, uri) + text.slice(end + `](${uri})`.length)
}
