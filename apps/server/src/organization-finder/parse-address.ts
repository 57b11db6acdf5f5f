/**
 * Returns the subdomain of the organization whose address a person typed: the subdomain itself
 * (`garden`), its host or its URL. Returns undefined if it cannot be an organization of this
 * server.
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
