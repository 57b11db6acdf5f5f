import { cleanDescription, cleanImage, cleanTitle } from './clean-text.ts'
import { readJsonLd, readText } from './json-ld.ts'
import { emptyPage, type Page } from './page.ts'
import type { HtmlFindings } from './read-html.ts'
import type { Wishes } from './robots-directives.ts'

/**
 * Chooses what a preview shows: Open Graph first, then Twitter's names for the same, then the page's
 * oEmbed response, then JSON-LD, then the title and description that search engines show.
 *
 * A page cannot choose the target of the link: `og:url` and the like are ignored.
 */
export function describePage(
  { meta, title, jsonLd }: HtmlFindings,
  url: string,
  wishes: Wishes,
  oEmbed: Page,
): Page {
  const get = (...names: string[]) => names.map((name) => meta.get(name) ?? '')
  const linked = readJsonLd(jsonLd)
  const titles = [...get('og:title', 'twitter:title'), oEmbed.title, linked.title, title]
  const descriptions = [
    ...get('og:description', 'twitter:description'),
    oEmbed.description,
    linked.description,
    ...get('description'),
  ]
  const images = [
    ...get('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
    oEmbed.image,
    linked.image,
  ]
  return {
    title: findFirst(titles, cleanTitle),
    description: wishes.noDescription ? '' : findFirst(descriptions, cleanDescription),
    image: wishes.noImage ? '' : findFirst(images, (image) => cleanImage(image, url)),
  }
}

function findFirst(texts: readonly string[], clean: (text: string) => string): string {
  for (const text of texts) {
    const cleaned = clean(text)
    if (cleaned !== '') return cleaned
  }
  return ''
}

/** Reads an oEmbed response. Its HTML is never used, nor are links to further responses. */
export function readOEmbed(text: string): Page {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return emptyPage
  }
  if (typeof value !== 'object' || value === null) return emptyPage
  const { title, description, type, url, thumbnail_url } = value as Record<string, unknown>
  const photo = type === 'photo' ? readText(url) : ''
  return {
    title: readText(title),
    description: readText(description),
    image: readText(thumbnail_url) || photo,
  }
}
