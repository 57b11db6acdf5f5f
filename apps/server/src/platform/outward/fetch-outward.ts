import type { Socket } from 'node:net'
import { oxbowVersion } from '@oxbow/assets'
import { networkOf } from '../network-of.ts'
import { connectChecked } from './connect-checked.ts'
import type { Outward } from './outward.ts'
import { OutwardRefusal, type OutwardRefusalReason } from './outward-refusal.ts'
import { readBody } from './read-body.ts'
import { readTarget, type Target } from './target.ts'

export interface OutwardRequest {
  /** Value of the header `accept`. */
  accept: string
  /** Limit of the body, as it arrives and after decompression. */
  maxBytes: number
  /** Limit for everything together: waiting, names, redirects and the body. */
  timeoutMs: number
  method?: 'GET'
  signal?: AbortSignal
}

export interface OutwardResponse {
  status: number
  /** URL of the response, after redirects. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  /** Decompressed. */
  body: Buffer
}

const maxRedirects = 5
const maxHeaderBytes = 16_384
const redirects = [301, 302, 303, 307, 308]
export const userAgent = `Oxbow/${oxbowVersion}`

/**
 * Requests a URL of another host. Every name is resolved once, and the connection goes to one of the
 * addresses that were checked; redirects are checked the same way. Sends neither cookies nor
 * credentials nor a referrer. Throws `OutwardRefusal` unless the whole response arrived within the
 * limits; its status may be any.
 */
export async function fetchOutward(
  outward: Outward,
  url: string,
  request: OutwardRequest,
): Promise<OutwardResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signals = [timeout, outward.closing, ...(request.signal ? [request.signal] : [])]
  const signal = AbortSignal.any(signals)
  try {
    const response = await outward.track(() => rejectOnAbort(follow(outward, url, request, signal), signal))
    outward.countOutcome('answered')
    return response
  } catch (error) {
    const refusal = toRefusal(error, { isSlow: timeout.aborted, isAborted: signal.aborted })
    outward.countOutcome(refusal.reason)
    throw refusal
  }
}

async function follow(
  outward: Outward,
  url: string,
  request: OutwardRequest,
  signal: AbortSignal,
): Promise<OutwardResponse> {
  let target = readTarget(url)
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await visit(outward, target, request, signal)
    const { location } = response.headers
    if (!redirects.includes(response.status) || location === undefined) return response
    // Headers are read as Latin-1, and browsers take this one for UTF-8.
    target = readTarget(Buffer.from(location, 'latin1').toString(), target.url)
  }
  throw new OutwardRefusal('too many redirects')
}

function visit(
  outward: Outward,
  target: Target,
  request: OutwardRequest,
  signal: AbortSignal,
): Promise<OutwardResponse> {
  return outward.runForHost(target.hostname, async () => {
    signal.throwIfAborted()
    const addresses = await findAddresses(outward, target)
    return outward.runForNetwork(networkOf(addresses[0] ?? ''), () =>
      exchange(outward, target, addresses, request, signal),
    )
  })
}

/**
 * Returns the checked addresses of a host. One address that is refused refuses all of them: only an
 * attack mixes public and private ones.
 */
async function findAddresses(
  { rules, resolveHost }: Outward,
  { hostname, address }: Target,
): Promise<string[]> {
  const addresses = address === undefined ? await resolveHost(hostname) : [address]
  if (addresses.length === 0) throw new OutwardRefusal('unreachable')
  if (!addresses.every((address) => rules.isAllowed(address))) throw new OutwardRefusal('address refused')
  return addresses
}

async function exchange(
  { rules }: Outward,
  { url }: Target,
  addresses: readonly string[],
  { accept, maxBytes }: OutwardRequest,
  signal: AbortSignal,
): Promise<OutwardResponse> {
  signal.throwIfAborted()
  // Loaded on demand: a node that never fetches anything does not need it.
  const { Client, buildConnector } = await import('undici')
  const sockets: Socket[] = []
  const connect = connectChecked(buildConnector, addresses, rules, (socket) => sockets.push(socket))
  const client = new Client(url.origin, { connect, maxHeaderSize: maxHeaderBytes, pipelining: 0 })
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { accept, 'accept-encoding': 'gzip, deflate, br', 'user-agent': userAgent },
      signal,
    })
    const named = flattenHeaders(headers)
    if (redirects.includes(statusCode) && named.location !== undefined) {
      return { status: statusCode, url: url.href, headers: named, body: Buffer.alloc(0) }
    }
    if (Number(named['content-length'] ?? 0) > maxBytes) throw new OutwardRefusal('too large')
    const read = await readBody(body, named['content-encoding'] ?? '', maxBytes)
    return { status: statusCode, url: url.href, headers: named, body: read }
  } finally {
    await client.destroy().catch(() => {})
    for (const socket of sockets) socket.destroy()
  }
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): OutwardResponse['headers'] {
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
  if (isSlow) return new OutwardRefusal('too slow', error)
  if (isAborted) return new OutwardRefusal('aborted', error)
  if (error instanceof OutwardRefusal) return error
  return new OutwardRefusal(findReason(error as NodeJS.ErrnoException), error)
}

function findReason({ code, name }: NodeJS.ErrnoException): OutwardRefusalReason {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too large'
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'too slow'
  return name === 'HTTPParserError' ? 'bad response' : 'unreachable'
}
