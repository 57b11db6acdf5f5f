import { cleanDescription, cleanImage, cleanTitle } from './clean-text.ts'
import { readJsonLd, readText } from './json-ld.ts'
import { emptyPage, type Page } from './page.ts'
import type { HtmlFindings } from './read-html.ts'
import type { PreviewRestrictions } from './robots-directives.ts'

/**
 * Chooses the content of a preview. The sources, in order of precedence, are Open Graph, Twitter's
 * equivalent names, the page's oEmbed response, JSON-LD, and the title and description for search
 * engines. A page cannot change the target of the link: `og:url` and similar values are ignored.
 */
export function describePage(
  { meta, title, jsonLd }: HtmlFindings,
  url: string,
  restrictions: PreviewRestrictions,
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
    description: restrictions.noDescription ? '' : findFirst(descriptions, cleanDescription),
    image: restrictions.noImage ? '' : findFirst(images, (image) => cleanImage(image, url)),
  }
}

function findFirst(texts: readonly string[], clean: (text: string) => string): string {
  for (const text of texts) {
    const cleaned = clean(text)
    if (cleaned !== '') return cleaned
  }
  return ''
}

/** Parses an oEmbed response. Ignores its HTML and its links to further responses. */
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
