/**
 * Returns the subdomain of the organization that a person typed: as the subdomain itself
 * (`garden`), as the host or as the URL. Returns undefined if no organization of this server can
 * have this address.
 */
export function parseAddress(typed: string, rootHost: string): string | undefined {
  const host = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*/s, '')
  if (host === rootHost) return ''
  const name = host.endsWith(`.${rootHost}`) ? host.slice(0, -rootHost.length - 1) : host
  return /^[a-z0-9-]{1,63}$/.test(name) ? name : undefined
}
