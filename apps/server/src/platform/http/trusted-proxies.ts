import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'

type Proxies = Pick<Config, 'trusted_proxies'>

const lists = new WeakMap<Proxies, BlockList>()

/** Whether `X-Forwarded-*` headers from this address are trusted. */
export function isTrustedProxy(config: Proxies, address: string | undefined): boolean {
  if (config.trusted_proxies.length === 0 || !address) return false
  const list = lists.get(config) ?? listOf(config)
  lists.set(config, list)
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const kind = isIP(plain)
  return kind !== 0 && list.check(plain, kind === 6 ? 'ipv6' : 'ipv4')
}

function listOf({ trusted_proxies }: Proxies): BlockList {
  const list = new BlockList()
  for (const each of trusted_proxies) {
    const [address = '', bits] = each.split('/')
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, kind)
    else list.addSubnet(address, Number(bits), kind)
  }
  return list
}

/**
 * Returns host and scheme as the client used them: from a trusted proxy's headers, else from the
 * request itself.
 */
export function requestedAt(
  config: Proxies,
  { headers, raw }: FastifyRequest,
): { host: string | undefined; scheme: 'http' | 'https' } {
  const isTrusted = isTrustedProxy(config, raw.socket.remoteAddress)
  const forwarded = (name: string) => (isTrusted ? lastOf(headers[name]) : undefined)
  return {
    host: forwarded('x-forwarded-host') ?? headers.host,
    scheme: forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http',
  }
}

/** Returns the last value, which the proxy next to us appended. */
const lastOf = (value: string | string[] | undefined): string | undefined =>
  String(value ?? '')
    .split(',')
    .at(-1)
    ?.trim() || undefined
