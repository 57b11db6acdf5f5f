/** Parts of a page that its site does not want to be shown elsewhere. */
export interface Wishes {
  noPreview: boolean
  noDescription: boolean
  noImage: boolean
}

/**
 * Reads directives for robots, from meta elements or `X-Robots-Tag` headers. Those that name another
 * robot must be left out by the caller.
 */
export function readDirectives(texts: readonly string[]): Wishes {
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

/** Directives whose names are followed by a colon, so they are not the name of a robot. */
const withValue = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after)$/

/**
 * Splits `X-Robots-Tag`, whose values may begin with the name of a robot, and returns the directives
 * for every robot or for this one.
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
