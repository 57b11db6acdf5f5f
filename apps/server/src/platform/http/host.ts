import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { BoundedCache } from '../bounded-cache.ts'
import type { Config } from '../config/settings.ts'

export interface ResolvedHost {
  /** Empty on the root host; null on a foreign host. */
  subdomain: string | null
  origin: string
}

/**
 * Resolves a `Host` header to an organization. With `external_url` set, only that host and its subdomains
 * belong to this server, and also IP addresses and localhost, which load balancers and local users use.
 * Without `external_url` any host is the root host, so that a server can be tried before it has a name.
 */
export function resolveHost(
  config: Pick<Config, 'external_url'>,
  header = '',
  scheme: 'http' | 'https' = 'http',
): ResolvedHost {
  const key = `${scheme} ${header}`
  const cached = hostCaches.get(config)?.get(key)
  if (cached) return cached
  // The size is bounded, because anyone can send any host.
  const cache = hostCaches.get(config) ?? new BoundedCache<string, ResolvedHost>(1_000)
  hostCaches.set(config, cache)
  const found = resolve(config, header, scheme)
  if (header.length < 300) cache.set(key, found)
  return found
}

/**
 * Resolves the organization of a request. Uses the forwarded host and scheme only if a trusted proxy sent
 * them.
 */
export function resolveRequest(config: Config, request: FastifyRequest): ResolvedHost {
  const { host, scheme } = readRequestedHost(config, request)
  return resolveHost(config, host, scheme)
}

/** Returns the origin of the root host, without the subdomain. */
export function rootOriginOf({ subdomain, origin }: ResolvedHost): string {
  return subdomain ? origin.replace(`//${subdomain}.`, '//') : origin
}

/** Returns the origin of the organization with this subdomain; an empty subdomain means the root host. */
export function originBelow(rootOrigin: string, subdomain: string): string {
  return subdomain ? withSubdomains(rootOrigin).replace('//', `//${subdomain}.`) : rootOrigin
}

/** Replaces 127.0.0.1 with `localhost`, because only a name can have subdomains. */
export const withSubdomains = (origin: string): string => origin.replace('//127.0.0.1', '//localhost')

/** Resolved hosts by configuration, cached because requests repeat the same few hosts. */
const hostCaches = new WeakMap<Pick<Config, 'external_url'>, BoundedCache<string, ResolvedHost>>()

function resolve(config: Pick<Config, 'external_url'>, header: string, scheme: string): ResolvedHost {
  const host = /^[a-z0-9.\-:[\]]+$/i.test(header) ? header.toLowerCase() : 'localhost'
  const name = host.replace(/:\d*$/, '')
  if (!config.external_url) {
    return { subdomain: labelBelow(name, 'localhost') ?? '', origin: `${scheme}://${host}` }
  }
  const root = new URL(config.external_url)
  const label = labelBelow(name, root.hostname)
  if (label) return { subdomain: label, origin: `${root.protocol}//${label}.${root.host}` }
  const isRoot = name === root.hostname || name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0
  return { subdomain: isRoot ? '' : null, origin: config.external_url }
}

/** Returns `tea` for tea.example.com below example.com; undefined for deeper names. */
function labelBelow(name: string, parent: string): string | undefined {
  if (!name.endsWith(`.${parent}`)) return undefined
  const label = name.slice(0, -parent.length - 1)
  return label.includes('.') ? undefined : label
}

type ProxyConfig = Pick<Config, 'trusted_proxies'>

const proxyLists = new WeakMap<ProxyConfig, BlockList>()

/** Whether `X-Forwarded-*` headers from this address are trusted. */
export function isTrustedProxy(config: ProxyConfig, address: string | undefined): boolean {
  if (config.trusted_proxies.length === 0 || !address) return false
  const list = proxyLists.get(config) ?? buildProxyList(config)
  proxyLists.set(config, list)
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const kind = isIP(plain)
  return kind !== 0 && list.check(plain, kind === 6 ? 'ipv6' : 'ipv4')
}

function buildProxyList({ trusted_proxies }: ProxyConfig): BlockList {
  const list = new BlockList()
  for (const proxy of trusted_proxies) {
    const [address = '', bits] = proxy.split('/')
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, kind)
    else list.addSubnet(address, Number(bits), kind)
  }
  return list
}

/**
 * Returns host and scheme as the client used them: from a trusted proxy's headers, otherwise from the request
 * itself.
 */
function readRequestedHost(
  config: ProxyConfig,
  { headers, raw }: FastifyRequest,
): { host: string | undefined; scheme: 'http' | 'https' } {
  const isTrusted = isTrustedProxy(config, raw.socket.remoteAddress)
  const forwarded = (name: string) => (isTrusted ? lastForwarded(headers[name]) : undefined)
  return {
    host: forwarded('x-forwarded-host') ?? headers.host,
    scheme: forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http',
  }
}

/** Returns the last value of a forwarded header, which the proxy next to this node appended. */
export const lastForwarded = (value: string | string[] | undefined): string | undefined =>
  String(value ?? '')
    .split(',')
    .at(-1)
    ?.trim() || undefined
