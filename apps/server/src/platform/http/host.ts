import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import { requestedAt } from './trusted-proxies.ts'

export interface ResolvedHost {
  /** Empty on the root host; null on a host that is none of ours. */
  subdomain: string | null
  origin: string
}

/**
 * Which organization a host names. With `external_url` set, only that host and its subdomains are ours (and plain
 * addresses, by which balancers and people on the machine itself come). Without it any host is the root, so that a
 * server can be tried from anywhere before it has a name.
 */
export function resolveHost(
  config: Pick<Config, 'external_url'>,
  header = '',
  scheme: 'http' | 'https' = 'http',
): ResolvedHost {
  const key = `${scheme} ${header}`
  const known = resolved.get(config)?.get(key)
  if (known) return known
  const ofConfig = resolved.get(config) ?? new Map<string, ResolvedHost>()
  // Anyone can send any host, so what is remembered has an end.
  if (ofConfig.size >= 1_000) ofConfig.clear()
  const found = resolve(config, header, scheme)
  if (header.length < 300) resolved.set(config, ofConfig.set(key, found))
  return found
}

/** The organization that a request is for; what proxies say of its host and scheme counts only where they are trusted. */
export function resolveRequest(config: Config, request: FastifyRequest): ResolvedHost {
  const { host, scheme } = requestedAt(config, request)
  return resolveHost(config, host, scheme)
}

/** The same few hosts come with every request. */
const resolved = new WeakMap<Pick<Config, 'external_url'>, Map<string, ResolvedHost>>()

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

/** `tea` for tea.example.com below example.com; nothing for deeper names. */
function labelBelow(name: string, parent: string): string | undefined {
  if (!name.endsWith(`.${parent}`)) return undefined
  const label = name.slice(0, -parent.length - 1)
  return label.includes('.') ? undefined : label
}
