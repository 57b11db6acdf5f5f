/**
 * Returns the subdomain in what a person typed as the address of an organization: `garden`, its host
 * or its URL. Undefined if it cannot be one of this server.
 */
export function parseAddress(typed: string, rootHost: string): string | undefined {
  const host = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
  if (host === rootHost) return ''
  const name = host.endsWith(`.${rootHost}`) ? host.slice(0, -rootHost.length - 1) : host
  return /^[a-z0-9-]{1,63}$/.test(name) ? name : undefined
}
