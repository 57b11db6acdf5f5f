import { BlockList, isIP } from 'node:net'

/**
 * IPv4 networks without hosts of the public Internet: IANA's registry of special-purpose addresses,
 * multicast, and reserved space.
 */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure serves its virtual machines at this address, although it is in a public range.
  '168.63.129.16/32',
]

/**
 * The only IPv6 network with hosts of the public Internet. Loopback, unique local, link-local,
 * multicast, IPv4-mapped and NAT64 addresses are all outside it.
 */
const globalIpv6 = ['2000::/3']

/** Special parts of the global network: protocols (with Teredo), documentation, 6to4, and name servers. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const special = listNetworks([...specialIpv4, ...specialIpv6])
const global6 = listNetworks(globalIpv6)

/** Decides to which addresses outbound requests may connect. */
export class AddressRules {
  readonly #allowed: BlockList

  /** `allowedNetworks`, like 10.1.0.0/16, may be reached although they are special. */
  constructor(allowedNetworks: readonly string[]) {
    this.#allowed = listNetworks(allowedNetworks)
  }

  /** Also returns false for texts that are not addresses, such as an IPv6 address with a zone. */
  isAllowed(address: string): boolean {
    return isPublicAddress(address) || isListed(this.#allowed, address)
  }
}

/** Whether an address can belong to a host of the public Internet. */
function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0 || isListed(special, address)) return false
  return family === 4 || isListed(global6, address)
}

function isListed(list: BlockList, address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, kind)
    else list.addSubnet(address, Number(bits), kind)
  }
  return list
}
