/** Longer paths are ignored. */
const maxLength = 2_000
/** Never reached; only relative paths keep it. */
const ownOrigin = 'http://own.invalid'

/**
 * Returns the path to go to after signing in. Anything but a path of the own origin becomes `/`, so
 * that a link to the sign-in page cannot lead to another site.
 */
export function toNextPath(given: string | undefined): string {
  if (!given?.startsWith('/') || given.length > maxLength) return '/'
  const url = URL.parse(given, ownOrigin)
  if (url?.origin !== ownOrigin) return '/'
  // `/.//evil.example` becomes `//evil.example`, which a browser takes for a host.
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') ? '/' : path
}
