import { networkInterfaces } from 'node:os'

/**
 * Returns the URL at which a browser reaches a node that listens at `url`: with `localhost` instead
 * of the loopback address, and with an address of this machine instead of 0.0.0.0 or ::, which
 * mean all of its addresses.
 */
export function findBrowserUrl(url: string, interfaces = networkInterfaces()): string {
  const found = new URL(url)
  if (found.hostname === '127.0.0.1') found.hostname = 'localhost'
  else if (found.hostname === '0.0.0.0' || found.hostname === '[::]') {
    const addresses = Object.values(interfaces).flatMap((list) => list ?? [])
    const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
    found.hostname = outside?.address ?? 'localhost'
  }
  return found.origin
}
