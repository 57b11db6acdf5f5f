import {
  type EncodedRequest,
  encode,
  type Generation,
  generationHeader,
  newestGeneration,
  type WireEndpoint,
} from '@oxbow/contract/plain'
import { fetchWithProgress } from './fetch-with-progress.ts'

export interface ClientOptions {
  /** URL of the organization, like https://chat.example.com. Empty in a page of the organization. */
  url: string
  /** If absent, only public endpoints can be called. */
  credentials?: Credentials | 'session'
  /**
   * Returns the id of the account that a page was opened for, once it is known. Requests with a session name
   * it, and the server refuses them with `OTHER_ACCOUNT` while another account is signed in in the browser.
   */
  findUserId?: () => number | undefined
  /**
   * Called with the error when the server refuses the session of a request: it has ended (status 401), or it
   * belongs to another account (`OTHER_ACCOUNT`).
   */
  onSignedOut?: (error: Error) => void
  /** Name of the calling program. With a session, the browser sends its own. */
  userAgent?: string
  /** The generation of the protocol in which the program reads responses and events; the newest by default. */
  generation?: Generation
  /** Called before each request. If it throws, the request is not made. */
  beforeRequest?: () => void
  /** Replaces the platform's `fetch`. Requests sent with it do not report their progress. */
  fetch?: typeof fetch
}

/**
 * An account's address and key. The alternative, `session`, uses the cookie of a signed-in browser,
 * which works only in pages of the organization itself.
 */
export interface Credentials {
  email: string
  api_key: string
}

/**
 * Creates the error that a call throws from the body of an error response. Errors in an event
 * stream have no status.
 */
type ToError = (body: Record<string, unknown>, status?: number) => Error

/** The options of a client, and how it converts errors of the server. */
export interface Caller extends ClientOptions {
  readonly toError: ToError
}

export interface RequestOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>>
  /** Lets the browser finish the request after the page is closed. */
  keepalive?: boolean | undefined
  /**
   * Called with the fraction of the request that was sent, from 0 to 1. Only browsers report it; elsewhere it
   * is never called.
   */
  onProgress?: ((fraction: number) => void) | undefined
}

/**
 * A failure below the protocol: a broken connection, or a response that is not in the protocol's
 * format, such as the error page of a proxy.
 */
export class TransportError extends Error {
  /** HTTP status; absent if no complete response was received. */
  readonly status: number | undefined

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TransportError'
    this.status = options.status
  }
}

export async function request(
  caller: ClientOptions,
  endpoint: WireEndpoint,
  args: object,
  { signal, headers = {}, keepalive, onProgress }: RequestOptions = {},
): Promise<Response> {
  const { url, credentials } = caller
  const send = caller.fetch ?? (onProgress && fetchWithProgress(onProgress)) ?? fetch
  const encoded = encode(endpoint, args)
  const inQuery = encoded.method === 'GET' || encoded.method === 'DELETE'
  const query = inQuery && encoded.arguments.size > 0 ? `?${encoded.arguments}` : ''
  const sendIfAllowed = async () => {
    caller.beforeRequest?.()
    return send(`${url.replace(/(?<!\/)\/+$/, '')}${encoded.path}${query}`, {
      method: encoded.method,
      headers: { ...buildHeaders(caller), ...headers },
      // A key must not be sent together with the cookie of a signed-in user.
      credentials: typeof credentials === 'object' ? 'omit' : 'same-origin',
      ...(!inQuery && { body: buildBody(encoded) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    })
  }
  return wrapTransportErrors(sendIfAllowed(), `${url || 'The server'} does not answer`, signal)
}

function buildBody({ arguments: fields, files }: EncodedRequest): URLSearchParams | FormData {
  if (files.length === 0) return fields
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  for (const { name, bytes } of files) {
    // Copied, because a Blob does not accept a Uint8Array over a SharedArrayBuffer.
    const blob = bytes instanceof Blob ? bytes : new Blob([new Uint8Array(bytes)])
    form.append('file', blob, name)
  }
  return form
}

/** Returns the fields of a response, or throws the server's error. */
export async function readResponse(
  { credentials, onSignedOut, toError }: Caller,
  response: Response,
  signal?: AbortSignal,
): Promise<object> {
  const { status } = response
  const text = await wrapTransportErrors(
    response.text(),
    'The connection broke in the middle of an answer',
    signal,
  )
  const body = parseEnvelope(text)
  const error = body
    ? body.result !== 'success' && toError(body, status)
    : new TransportError(`The server answered ${status} with a body that is not an envelope`, { status })
  if (error) {
    const isRefusedSession = status === 401 || body?.code === 'OTHER_ACCOUNT'
    if (isRefusedSession && credentials === 'session') onSignedOut?.(error)
    throw recordRetryAfter(error, response)
  }
  const { result, msg, ...fields } = body ?? {}
  // The message of a successful response is empty, except where it is the endpoint's result.
  return msg ? { msg, ...fields } : fields
}

/**
 * Awaits the promise. Rejects with the signal's reason if the signal was aborted, and with a
 * `TransportError` for any other failure.
 */
export async function wrapTransportErrors<Value>(
  work: Promise<Value>,
  message: string,
  signal?: AbortSignal,
): Promise<Value> {
  try {
    return await work
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw new TransportError(message, { cause })
  }
}

function buildHeaders({
  credentials,
  findUserId,
  userAgent = 'OxbowSdk',
  generation = newestGeneration,
}: ClientOptions): Record<string, string> {
  // Some errors are HTML unless the client asks for JSON.
  const headers: Record<string, string> = {
    accept: 'application/json',
    [generationHeader]: String(generation),
  }
  if (credentials === 'session') {
    const expected = findUserId?.()
    return expected === undefined ? headers : { ...headers, 'expected-user-id': String(expected) }
  }
  headers['user-agent'] = userAgent
  if (credentials) headers.authorization = `Basic ${base64(`${credentials.email}:${credentials.api_key}`)}`
  return headers
}

/** Encodes as UTF-8 first, because `btoa` accepts only Latin-1. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function parseEnvelope(text: string): Record<string, unknown> | undefined {
  try {
    const body = JSON.parse(text)
    return body !== null && typeof body === 'object' && 'result' in body ? body : undefined
  } catch {
    return undefined
  }
}

const retryDelays = new WeakMap<object, number>()

function recordRetryAfter<Thrown extends Error>(error: Thrown, { headers }: Response): Thrown {
  const retryAfter = headers.get('retry-after')
  if (retryAfter === null) return error
  const seconds = Number(retryAfter)
  const wait = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000
  if (wait > 0) retryDelays.set(error, wait)
  return error
}

/**
 * Returns the `Retry-After` of the response that caused this error, in milliseconds, or undefined
 * if it had none.
 */
export function getRetryAfterMs(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? retryDelays.get(error) : undefined
}
