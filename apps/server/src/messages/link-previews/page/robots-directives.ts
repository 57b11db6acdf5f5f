/** Parts of a page that its site does not want other sites to show. */
export interface PreviewRestrictions {
  noPreview: boolean
  noDescription: boolean
  noImage: boolean
}

/**
 * Parses robots directives of meta elements or `X-Robots-Tag` headers. The caller must leave out
 * directives for other robots.
 */
export function readDirectives(texts: readonly string[]): PreviewRestrictions {
  const directives = new Set(
    texts
      .flatMap((text) => text.toLowerCase().slice(0, 1_000).split(','))
      .map((directive) => directive.trim()),
  )
  const hasAny = (...names: string[]) => names.some((name) => directives.has(name))
  return {
    noPreview: hasAny('noindex', 'none'),
    noDescription: hasAny('nosnippet', 'max-snippet:0', 'max-snippet: 0'),
    noImage: hasAny('noimageindex', 'max-image-preview:none', 'max-image-preview: none'),
  }
}

/** Directives with a value. A colon follows their names, as it follows the name of a robot. */
const withValue = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after)$/

/**
 * Splits `X-Robots-Tag`, whose values may begin with the name of a robot. Returns the directives
 * for all robots and for this one.
 */
export function readRobotsHeader(header: string | undefined, agent: string): string[] {
  const directives: string[] = []
  let isForUs = true
  for (const part of (header ?? '').slice(0, 2_000).split(',')) {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? []
    if (name === undefined || withValue.test(name.toLowerCase())) {
      if (isForUs) directives.push(part)
      continue
    }
    isForUs = name.toLowerCase() === agent.toLowerCase()
    if (isForUs) directives.push(rest ?? '')
  }
  return directives
}
