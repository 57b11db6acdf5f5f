import { isIP, isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the network to which the limits of a caller apply: for IPv4 the address itself, for IPv6 its first
 * 64 bits, because a customer of a provider can use all addresses that share them.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return `${mapped}/32`
  const [plain = ''] = mapped.split('%')
  if (!isIPv6(plain)) return unknown
  return `${expandGroups(plain).slice(0, 4).join(':')}::/64`
}

/** Used for callers without an address, such as those on a Unix socket. */
const unknown = '0.0.0.0/32'

/** Returns the eight groups of an IPv6 address without leading zeros. */
function expandGroups(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (part: string) => part.split(':').filter((group) => group !== '')
  const before = groupsOf(head)
  if (tail === undefined) return before
  const after = groupsOf(tail)
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

/** Whether a text is an address or a network like 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const kind = isIP(address)
  if (kind === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32))
}
