import { decodeEntities } from './entities.ts'

// `<` is escaped in text and `"` in attributes, so the pattern matches only elements that this package wrote.
const sources =
  /(<img (?:[\w-]+(?:="[^"]*")? )*?src=")([^"]*)"|(<a class="message_embed_image" href="[^"]*" style="background-image: url\()([^")]*)\)/g

/** A base URL for resolving the organization's own URLs, which are relative. */
const ownOrigin = 'http://own.invalid'

/**
 * Replaces the URLs of pictures on other hosts, such as in previews, in HTML that this package
 * wrote. `rewrite` gets the absolute URL without its fragment, and must return a URL that needs no
 * escaping. Nothing else is changed.
 */
export function rewritePictures(html: string, rewrite: (url: string) => string): string {
  if (!html.includes('<img ') && !html.includes('message_embed_image')) return html
  return html.replace(sources, (match, image?: string, source = '', style?: string, background = '') => {
    const url = findExternalUrl(image === undefined ? background : source)
    if (url === undefined) return match
    return image === undefined ? `${style}${rewrite(url)})` : `${image}${rewrite(url)}"`
  })
}

function findExternalUrl(source: string): string | undefined {
  const address = decodeEntities(source)
  if (!URL.canParse(address, ownOrigin)) return undefined
  const url = new URL(address, ownOrigin)
  if (url.origin === ownOrigin || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  return url.href
}
