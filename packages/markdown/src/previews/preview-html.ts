import { openTag } from '../element.ts'
import { escapeText } from '../escape.ts'
import type { ImageSource, PageEmbed, UploadedPicture } from '../lookup.ts'

/**
 * Writes the preview of a picture. With the size of an uploaded picture, clients can reserve space
 * before it is loaded.
 */
export function imagePreview(
  href: string,
  title: string | undefined,
  source: ImageSource,
  picture?: UploadedPicture,
): string {
  const image = openTag('img', {
    'data-animated': picture?.isAnimated ? 'true' : undefined,
    'data-original-content-type': picture?.contentType,
    'data-original-dimensions': picture && `${picture.width}x${picture.height}`,
    'data-src-fullsize': source.fullsize,
    src: source.src,
  })
  return `<div class="message_inline_image">${openTag('a', { href, title })}${image}</a></div>`
}

export function videoPreview(href: string, videoId: string): string {
  const image = openTag('img', { src: `https://i.ytimg.com/vi/${videoId}/default.jpg` })
  const anchor = openTag('a', { 'data-id': videoId, href })
  return `<div class="youtube-video message_inline_image">${anchor}${image}</a></div>`
}

const webAddress = /^https?:\/\/[^\s]+$/
const unsafeInCssUrl = /[()'"\\<>;{}\s]/g

/**
 * Writes the preview of a page. The page's texts are escaped, and its picture is a URL that cannot
 * break out of `url(…)`.
 */
export function pagePreview(href: string, page: PageEmbed): string {
  const title = page.title.trim() || href
  const image = webAddress.test(page.image) ? page.image.replace(unsafeInCssUrl, percentEncode) : ''
  const picture = image
    ? `${openTag('a', { class: 'message_embed_image', href, style: `background-image: url(${image})` })}</a>`
    : ''
  const heading = `<div class="message_embed_title">${openTag('a', { href, title })}${escapeText(title)}</a></div>`
  const description = `<div class="message_embed_description">${escapeText(page.description)}</div>`
  return `<div class="message_embed">${picture}<div class="data-container">${heading}${description}</div></div>`
}

/** The end of a picture or video preview's HTML. */
const endOfPicture = '</a></div>'

/**
 * Adds previews of pages to the end of a rendered message. The result is the same as rendering the
 * message with these pages, except that the rest of the message is not rendered again, so
 * renamed users and changed emoji keep their old form.
 */
export function addPagePreviews(html: string, pages: Iterable<readonly [href: string, PageEmbed]>): string {
  const previews = Array.from(pages, ([href, page]) => pagePreview(href, page)).join('')
  if (previews === '') return html
  return html.endsWith(endOfPicture) ? html + previews : `${html}\n${previews}`
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
