import { hasLeftBoundary } from './inline/boundary.ts'
import type { CompiledLinkifier } from './linkifiers/compile.ts'
import { expandUrl, linkifierStepsPerMessage, matchLinkifierAt } from './linkifiers/match.ts'
import { toSafeHref } from './links/href.ts'
import { findUrlEnd } from './links/scan-url.ts'

const betweenWords = /[ !;?),'"]/
const hasScheme = /^(?:https?:\/\/|bitcoin:)/

/**
 * Lists the URLs of the links in a topic: first those of linkifiers, in the order of the
 * linkifiers, then bare URLs.
 */
export function renderTopicLinks(topic: string, linkifiers: readonly CompiledLinkifier[] = []): string[] {
  return [...linkifierUrls(topic, linkifiers), ...typedUrls(topic)]
}

function linkifierUrls(topic: string, linkifiers: readonly CompiledLinkifier[]): string[] {
  const budget = { linkifierSteps: linkifierStepsPerMessage }
  const urls: string[] = []
  for (const linkifier of linkifiers) {
    for (let at = 0; at < topic.length; at++) {
      const match = hasLeftBoundary(topic, at) && matchLinkifierAt(linkifier, topic, at, budget)
      if (!match || match.end === at) continue
      const url = toSafeHref(expandUrl(linkifier, match))
      if (url !== undefined) urls.push(url)
      at = match.end - 1
    }
  }
  return urls
}

function typedUrls(topic: string): string[] {
  return topic.split(betweenWords).flatMap((word) => {
    const end = findUrlEnd(word, 0)
    if (end === -1) return []
    const url = word.slice(0, end)
    if (hasScheme.test(url)) return [url]
    return [url.includes('@') ? `mailto:${url}` : `https://${url}`]
  })
}
