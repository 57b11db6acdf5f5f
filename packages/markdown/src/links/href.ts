const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):(?!\d+(?:[/?#]|$))/
const allowedSchemes = new Set(['http', 'https', 'ftp', 'mailto', 'file', 'bitcoin'])
const withoutHost = new Set(['mailto', 'file', 'bitcoin'])
const hostFollows = /^:\/\/[^/?#\\]/
// A second slash, in any spelling a browser would read as one, would name another host.
const localPath = /^\/(?![/\\&])/

/**
 * The address to write for a link, or undefined when it must stay text. Safe whatever comes in:
 * either it begins with an allowed scheme spelled out, or it cannot be read as having one.
 */
export function safeHref(written: string, origin?: string): string | undefined {
  const url = written.trim().replace(/\s/g, '%20')
  if (url === '') return undefined
  if (url.startsWith('#') || localPath.test(url)) return url
  if (url.startsWith('/')) return undefined
  const name = scheme.exec(url)?.[1]?.toLowerCase()
  if (name === undefined) return url.includes('@') ? `mailto:${url}` : withHost(`http://${url}`)
  if (!allowedSchemes.has(name)) return undefined
  if (withoutHost.has(name)) return url
  if (!hostFollows.test(url.slice(name.length))) return undefined
  return origin === undefined ? url : relativeToOrigin(url, origin)
}

function withHost(url: string): string | undefined {
  return hostFollows.test(url.slice('http'.length)) ? url : undefined
}

// An entity or a colon in the first segment could turn the rest into a scheme of its own.
const staysRelative = /^(?:[A-Za-z0-9_~%-][A-Za-z0-9_~%.!$'()*+,;=@-]*(?:[/?#]|$)|[#?])/

/** Cuts this server's own origin off, where joining the two again gives the same address. */
function relativeToOrigin(url: string, origin: string): string {
  if (!url.startsWith(`${origin}/`)) return url
  const rest = url.slice(origin.length + 1)
  return staysRelative.test(rest) ? rest : url
}
