import { type Outcome, ok, problem, warning } from './finding.ts'

/** A request as the node received it, after passing through proxies. */
export interface ReceivedRequest {
  /** The address that connected to the node. */
  address: string
  /** Whether that address is one of `trusted_proxies`. */
  isTrusted: boolean
  host?: string | undefined
  forwardedHost?: string | undefined
  forwardedFor?: string | undefined
  forwardedProto?: string | undefined
}

/** An address reserved for documentation (RFC 5737), sent like a client that forges its address. */
export const forgedAddress = '192.0.2.1'

/** Checks how the proxies in front of a node handle the headers of a request to `externalUrl`. */
export function judgeRequest(externalUrl: string, received: ReceivedRequest): Outcome {
  const url = new URL(externalUrl)
  const { address, isTrusted, forwardedFor } = received
  const host = (isTrusted ? lastOf(received.forwardedHost) : undefined) ?? received.host ?? ''
  if (host.replace(/:\d*$/, '').toLowerCase() !== url.hostname)
    return problem(
      `The node receives the host ${host} instead of ${url.hostname}, so it cannot tell organizations apart.`,
      'Let the proxy pass on the Host header (nginx: proxy_set_header Host $host).',
    )
  if (!isProxied(url, received)) return ok('No proxy is in front of the node.')
  if (!isTrusted)
    return problem(
      `The proxy at ${address} is not trusted, so all people count as one address: limits for wrong passwords and for strangers hit everyone.`,
      `Set OXBOW_TRUSTED_PROXIES=${address.replace(/^::ffff:/i, '')} on every node, and restart it.`,
    )
  const client = lastOf(forwardedFor)
  if (client === undefined)
    return problem(
      'The proxy sends no X-Forwarded-For, so all people count as one address: limits for wrong passwords and for strangers hit everyone.',
      'Let the proxy add the address of the client (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    )
  if (client === forgedAddress)
    return problem(
      'The proxy passes on X-Forwarded-For as the client sent it, so everyone can pretend to have another address.',
      'Let the proxy add the address of the client (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    )
  if (url.protocol === 'https:' && lastOf(received.forwardedProto)?.toLowerCase() !== 'https')
    return warning(
      'The proxy does not say that clients use https.',
      'Let it send X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme).',
    )
  return ok(`The proxy at ${address} passes on host and address of clients.`)
}

/** A node speaks HTTP only, so https implies a proxy; other proxies are recognized by their headers. */
function isProxied(url: URL, { isTrusted, forwardedFor, forwardedHost, forwardedProto }: ReceivedRequest) {
  const hasOwnAddresses = forwardedFor !== undefined && forwardedFor !== forgedAddress
  return url.protocol === 'https:' || isTrusted || hasOwnAddresses || Boolean(forwardedHost ?? forwardedProto)
}

/** Returns the last value, which the proxy next to the node appended. */
const lastOf = (header: string | undefined): string | undefined =>
  header?.split(',').at(-1)?.trim() || undefined
