import { isIP } from 'node:net'
import { OutwardRefusal } from './outward-refusal.ts'

/** A URL that may be requested if the address of its host is allowed. */
export interface Target {
  url: URL
  /** Lower case, without brackets and without a trailing dot. */
  hostname: string
  /** Set if the host is an address itself. */
  address?: string
}

const maxUrlLength = 8_192

/** Ports below 1024 belong to other protocols, except those of HTTP. */
const wellKnownPorts = [80, 443]
/** Ports from 1024 that the Fetch Standard blocks because other protocols use them. */
const blockedPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]

/**
 * Reads a URL as browsers do, so that hosts such as 0x7f.1 or １２７.1 become addresses here. Throws
 * `OutwardRefusal` for other schemes, credentials and ports of other protocols.
 */
export function readTarget(text: string, base?: URL): Target {
  if (text.length > maxUrlLength || !URL.canParse(text, base?.href)) throw new OutwardRefusal('bad url')
  const url = new URL(text, base)
  const { protocol, username, password } = url
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') {
    throw new OutwardRefusal('bad url')
  }
  url.hash = ''
  refusePort(Number(url.port || (protocol === 'https:' ? 443 : 80)))
  const hostname = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (hostname === '' || hostname.length > 253) throw new OutwardRefusal('bad url')
  return { url, hostname, ...(isIP(hostname) !== 0 && { address: hostname }) }
}

function refusePort(port: number): void {
  const isAllowed = port < 1024 ? wellKnownPorts.includes(port) : !blockedPorts.includes(port)
  if (!isAllowed) throw new OutwardRefusal('port refused')
}
