import type { ReceivedRequest } from '../../platform/doctor/request-page.ts'
import { lastForwarded } from '../../platform/http/host.ts'
import { type Outcome, ok, problem, warning } from './finding.ts'

/**
 * The address that the doctor sends in `X-Forwarded-For`, like a client that forges its address. It
 * is reserved for documentation (RFC 5737), so no real client has it.
 */
export const forgedAddress = '192.0.2.1'

/** Checks how the proxies in front of a node handle the headers of a request to `externalUrl`. */
export function evaluateRequest(externalUrl: string, received: ReceivedRequest): Outcome {
  const url = new URL(externalUrl)
  const { address, isTrusted, forwardedFor } = received
  const host = (isTrusted ? lastForwarded(received.forwardedHost) : undefined) ?? received.host ?? ''
  if (host.replace(/:\d*$/, '').toLowerCase() !== url.hostname)
    return problem(
      `The node receives the host ${host} instead of ${url.hostname}, so it cannot tell organizations apart.`,
      'Let the proxy forward the Host header (nginx: proxy_set_header Host $host).',
    )
  if (!isProxied(url, received)) return ok('No proxy is in front of the node.')
  if (!isTrusted)
    return problem(
      `The proxy at ${address} is not trusted, so all clients appear to have the same address, and rate limits for wrong passwords and unauthenticated requests affect everyone.`,
      `Set OXBOW_TRUSTED_PROXIES=${address.replace(/^::ffff:/i, '')} on every node, and restart it.`,
    )
  const client = lastForwarded(forwardedFor)
  if (client === undefined)
    return problem(
      'The proxy sends no X-Forwarded-For, so all clients appear to have the same address, and rate limits for wrong passwords and unauthenticated requests affect everyone.',
      'Let the proxy add the address of the client (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    )
  if (client === forgedAddress)
    return problem(
      'The proxy forwards X-Forwarded-For as the client sent it, so clients can spoof their address.',
      'Let the proxy add the address of the client (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    )
  if (url.protocol === 'https:' && lastForwarded(received.forwardedProto)?.toLowerCase() !== 'https')
    return warning(
      'The proxy does not send X-Forwarded-Proto: https.',
      'Let it send X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme).',
    )
  return ok(`The proxy at ${address} forwards the host and the client address.`)
}

/** A node speaks HTTP only, so https implies a proxy; other proxies are recognized by their headers. */
function isProxied(url: URL, { isTrusted, forwardedFor, forwardedHost, forwardedProto }: ReceivedRequest) {
  const hasAddedAddress = forwardedFor !== undefined && forwardedFor !== forgedAddress
  return url.protocol === 'https:' || isTrusted || hasAddedAddress || Boolean(forwardedHost ?? forwardedProto)
}
