import { isIP } from 'node:net'
import { OutboundRefusal } from './outbound-refusal.ts'

/** A URL that may be requested if the address of its host is allowed. */
export interface Target {
  url: URL
  /** Host name in lower case, without brackets and without a trailing dot. */
  hostname: string
  /** Set if the host is given as an address. */
  address?: string
}

const maxUrlLength = 8_192

/** Allowed ports below 1024: those of HTTP. The others belong to other protocols. */
const wellKnownPorts = [80, 443]
/** Ports from 1024 that the Fetch Standard blocks because other protocols use them. */
const blockedPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]

/**
 * Reads a URL as browsers do, so that hosts such as 0x7f.1 or １２７.1 are recognized as addresses. Throws
 * `OutboundRefusal` for other schemes, credentials and ports of other protocols.
 */
export function readTarget(text: string, base?: URL): Target {
  if (text.length > maxUrlLength || !URL.canParse(text, base?.href)) throw new OutboundRefusal('bad url')
  const url = new URL(text, base)
  const { protocol, username, password } = url
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') {
    throw new OutboundRefusal('bad url')
  }
  url.hash = ''
  refusePort(Number(url.port || (protocol === 'https:' ? 443 : 80)))
  const hostname = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (hostname === '' || hostname.length > 253) throw new OutboundRefusal('bad url')
  return { url, hostname, ...(isIP(hostname) !== 0 && { address: hostname }) }
}

function refusePort(port: number): void {
  const isAllowed = port < 1024 ? wellKnownPorts.includes(port) : !blockedPorts.includes(port)
  if (!isAllowed) throw new OutboundRefusal('port refused')
}
