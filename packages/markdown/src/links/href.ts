const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):(?!\d+(?:[/?#]|$))/
const allowedSchemes = new Set(['http', 'https', 'ftp', 'mailto', 'file', 'bitcoin'])
const schemesWithoutHost = new Set(['mailto', 'file', 'bitcoin'])
const hostFollows = /^:\/\/[^/?#\\]/
// Browsers read `//`, `/\` and `/&sol;` as the start of another host.
const localPath = /^\/(?![/\\&])/

/**
 * Returns the `href` for a link target, or undefined if the target is unsafe and must stay text.
 * The result begins with an allowed scheme, or is relative and cannot be read as having a scheme.
 */
export function toSafeHref(target: string, origin?: string): string | undefined {
  const url = target.trim().replace(/\s/g, '%20')
  if (url === '') return undefined
  if (url.startsWith('#') || localPath.test(url)) return url
  if (url.startsWith('/')) return undefined
  const name = scheme.exec(url)?.[1]?.toLowerCase()
  if (name === undefined) return url.includes('@') ? `mailto:${url}` : withHost(`http://${url}`)
  if (!allowedSchemes.has(name)) return undefined
  if (schemesWithoutHost.has(name)) return url
  if (!hostFollows.test(url.slice(name.length))) return undefined
  return origin === undefined ? url : makeRelative(url, origin)
}

function withHost(url: string): string | undefined {
  return hostFollows.test(url.slice('http'.length)) ? url : undefined
}

// A browser might read an entity or a colon in the first segment as the end of a scheme.
const staysRelative = /^(?:[A-Za-z0-9_~%-][A-Za-z0-9_~%.!$'()*+,;=@-]*(?:[/?#]|$)|[#?])/

/** Makes a URL of this server relative, if the relative URL resolves to the same URL. */
function makeRelative(url: string, origin: string): string {
  if (!url.startsWith(`${origin}/`)) return url
  const rest = url.slice(origin.length + 1)
  return staysRelative.test(rest) ? rest : url
}
