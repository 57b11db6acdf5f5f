import type { Socket } from 'node:net'
import { oxbowVersion } from '@oxbow/assets'
import { networkOf } from '../network-of.ts'
import { type Span, traced } from '../observe/tracing/tracing.ts'
import { connectChecked } from './connect-checked.ts'
import type { Outbound } from './outbound.ts'
import { OutboundRefusal, type OutboundRefusalReason } from './outbound-refusal.ts'
import { readResponseBody } from './read-body.ts'
import { readTarget, type Target } from './target.ts'

export interface OutboundRequest {
  /** Value of the `accept` header. */
  accept: string
  /** Maximum size of the body in bytes, both as it arrives and after decompression. */
  maxBytes: number
  /** Time limit for the whole request: waiting, name resolution, redirects and the body. */
  timeoutMs: number
  /** Sends this body with POST. Redirects are then not followed, because the body is for this URL only. */
  post?: { body: string; contentType: string }
  /** Value of the `user-agent` header; by default Oxbow and its version. */
  agent?: string
  signal?: AbortSignal
}

export interface OutboundResponse {
  status: number
  /** URL of the response, which differs from the requested one after redirects. */
  url: string
  /** Headers by their names in lower case. */
  headers: Record<string, string | undefined>
  /** The decompressed body. */
  body: Buffer
}

const maxRedirects = 5
const maxHeaderBytes = 16_384
const redirects = [301, 302, 303, 307, 308]
const userAgent = `Oxbow/${oxbowVersion}`

/**
 * Requests a URL of another host. Every name is resolved once, and the connection is made to one of the
 * checked addresses; redirects are checked the same way. Sends neither cookies nor credentials nor a
 * referrer. Throws `OutboundRefusal` unless the whole response arrived within the limits; a response with any
 * status is returned.
 */
export function fetchOutbound(
  outbound: Outbound,
  url: string,
  request: OutboundRequest,
): Promise<OutboundResponse> {
  // The span contains neither URL nor host, because both come from the texts of messages.
  const method = methodOf(request)
  const attributes = { 'http.request.method': method }
  return traced(outbound.tracing, { name: method, kind: 'client', attributes }, (span) =>
    fetchCounted(outbound, url, request, span),
  )
}

const methodOf = ({ post }: OutboundRequest): 'GET' | 'POST' => (post ? 'POST' : 'GET')

/** Requests a URL and counts the outcome. */
async function fetchCounted(
  outbound: Outbound,
  url: string,
  request: OutboundRequest,
  span: Span | undefined,
): Promise<OutboundResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signals = [timeout, outbound.closing, ...(request.signal ? [request.signal] : [])]
  const signal = AbortSignal.any(signals)
  try {
    const response = await outbound.track(() => rejectOnAbort(follow(outbound, url, request, signal), signal))
    outbound.countOutcome('answered')
    span?.set('http.response.status_code', response.status)
    return response
  } catch (error) {
    const refusal = toRefusal(error, { isSlow: timeout.aborted, isAborted: signal.aborted })
    outbound.countOutcome(refusal.reason)
    span?.set('oxbow.outbound.refusal', refusal.reason)
    throw refusal
  }
}

async function follow(
  outbound: Outbound,
  url: string,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  let target = readTarget(url)
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await visit(outbound, target, request, signal)
    const { location } = response.headers
    if (request.post || !redirects.includes(response.status) || location === undefined) return response
    // Node decodes headers as Latin-1, but browsers decode this one as UTF-8.
    target = readTarget(Buffer.from(location, 'latin1').toString(), target.url)
  }
  throw new OutboundRefusal('too many redirects')
}

function visit(
  outbound: Outbound,
  target: Target,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  return outbound.runForHost(target.hostname, async () => {
    signal.throwIfAborted()
    const addresses = await findAddresses(outbound, target)
    return outbound.runForNetwork(networkOf(addresses[0] ?? ''), () =>
      exchange(outbound, target, addresses, request, signal),
    )
  })
}

/**
 * Returns the checked addresses of a host. A single refused address refuses the host, because only an attack
 * mixes public and private addresses.
 */
async function findAddresses(
  { rules, resolveHost }: Outbound,
  { hostname, address }: Target,
): Promise<string[]> {
  const unknown = (cause: unknown) => {
    throw new OutboundRefusal('unknown host', cause)
  }
  const addresses = address === undefined ? await resolveHost(hostname).catch(unknown) : [address]
  if (addresses.length === 0) throw new OutboundRefusal('unknown host')
  if (!addresses.every((address) => rules.isAllowed(address))) throw new OutboundRefusal('address refused')
  return addresses
}

async function exchange(
  { rules }: Outbound,
  { url }: Target,
  addresses: readonly string[],
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  signal.throwIfAborted()
  const { accept, maxBytes, post, agent = userAgent } = request
  // Loaded on demand, because many nodes never fetch anything.
  const { Client, buildConnector } = await import('undici')
  const sockets: Socket[] = []
  const connect = connectChecked(buildConnector, addresses, rules, (socket) => sockets.push(socket))
  const client = new Client(url.origin, { connect, maxHeaderSize: maxHeaderBytes, pipelining: 0 })
  try {
    const { statusCode, headers, body } = await client.request({
      method: methodOf(request),
      path: url.pathname + url.search,
      headers: {
        accept,
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': agent,
        ...(post && { 'content-type': post.contentType }),
      },
      ...(post && { body: post.body }),
      signal,
    })
    const named = flattenHeaders(headers)
    if (redirects.includes(statusCode) && named.location !== undefined) {
      return { status: statusCode, url: url.href, headers: named, body: Buffer.alloc(0) }
    }
    if (Number(named['content-length'] ?? 0) > maxBytes) throw new OutboundRefusal('too large')
    const read = await readResponseBody(body, named['content-encoding'] ?? '', maxBytes)
    return { status: statusCode, url: url.href, headers: named, body: read }
  } finally {
    await client.destroy().catch(() => {})
    for (const socket of sockets) socket.destroy()
  }
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): OutboundResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}

/** Rejects at once when the signal aborts, even while the work waits for a slot or a name server. */
async function rejectOnAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
    work.catch(() => {})
  }
}

function toRefusal(error: unknown, { isSlow, isAborted }: { isSlow: boolean; isAborted: boolean }) {
  if (isSlow) return new OutboundRefusal('too slow', error)
  if (isAborted) return new OutboundRefusal('aborted', error)
  if (error instanceof OutboundRefusal) return error
  return new OutboundRefusal(findReason(error as NodeJS.ErrnoException), error)
}

/** Codes of OpenSSL and Node for invalid certificates and for servers that do not speak TLS. */
const tlsCodes =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|INVALID_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|PATH_LENGTH_)/

function findReason({ code, name }: NodeJS.ErrnoException): OutboundRefusalReason {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too large'
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'too slow'
  if (code !== undefined && tlsCodes.test(code)) return 'no secure connection'
  return name === 'HTTPParserError' ? 'bad response' : 'unreachable'
}
