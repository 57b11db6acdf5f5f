/** Maximum length of a path. Longer paths are ignored. */
const maxLength = 2_000
/**
 * Base URL for parsing. No request is sent to it. Paths that lead to another site resolve to
 * another origin.
 */
const ownOrigin = 'http://own.invalid'

/**
 * Returns the path to go to after signing in. Returns `/` for everything except a path of the same
 * origin, so that a link to the sign-in page cannot lead to another site.
 */
export function toNextPath(rawPath: string | undefined): string {
  if (!rawPath?.startsWith('/') || rawPath.length > maxLength) return '/'
  const url = URL.parse(rawPath, ownOrigin)
  if (url?.origin !== ownOrigin) return '/'
  // `/.//evil.example` becomes `//evil.example`, which a browser takes for a host.
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') ? '/' : path
}
