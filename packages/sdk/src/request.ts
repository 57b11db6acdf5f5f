import {
  ApiError,
  type EncodedRequest,
  type Endpoint,
  type ErrorDeclaration,
  type ErrorName,
  encode,
  errors,
} from '@oxbow/contract'

export interface ClientOptions {
  /** URL of the organization, like https://chat.example.com. */
  url: string
  /** Without credentials only public endpoints can be called. */
  credentials?: Credentials
  /** Name of the calling program. */
  userAgent?: string
  fetch?: typeof fetch
}

export interface Credentials {
  email: string
  api_key: string
}

export interface RequestOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>>
}

/**
 * A failure below the protocol: a broken connection, or a response that is no envelope, such as a
 * proxy's page.
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
  options: ClientOptions,
  endpoint: Endpoint,
  args: object,
  { signal, headers = {} }: RequestOptions = {},
): Promise<Response> {
  const { url, fetch: send = fetch } = options
  const encoded = encode(endpoint, args as never)
  const inQuery = encoded.method === 'GET' || encoded.method === 'DELETE'
  const query = inQuery && encoded.arguments.size > 0 ? `?${encoded.arguments}` : ''
  const sent = send(`${url.replace(/\/+$/, '')}${encoded.path}${query}`, {
    method: encoded.method,
    headers: { ...buildHeaders(options), ...headers },
    ...(!inQuery && { body: buildBody(encoded) }),
    ...(signal && { signal }),
  })
  return wrapTransportErrors(sent, `${url} does not answer`, signal)
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
export async function readResponse(response: Response, signal?: AbortSignal): Promise<object> {
  const text = await wrapTransportErrors(
    response.text(),
    'The connection broke in the middle of an answer',
    signal,
  )
  const body = parseEnvelope(text)
  const error = body
    ? body.result !== 'success' && remoteError(body, response.status)
    : new TransportError(`The server answered ${response.status} with something that is no envelope`, {
        status: response.status,
      })
  if (error) throw recordRetryAfter(error, response)
  const { result, msg, ...fields } = body ?? {}
  // The message of a success is empty, except where it is the answer of the endpoint.
  return msg ? { msg, ...fields } : fields
}

/**
 * Rejects with the signal's reason if it was aborted, and with a `TransportError` for any other
 * failure.
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

function buildHeaders({ credentials, userAgent = 'OxbowSdk' }: ClientOptions): Record<string, string> {
  // Some errors are HTML for clients that do not ask for JSON.
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: 'application/json' }
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

/**
 * Rebuilds the server's `ApiError` from a response body: its name is found by code and text.
 * Without a status, as in a stream, it has the status of the contract.
 */
export function remoteError(body: Record<string, unknown>, status?: number): ApiError {
  const data = { ...body, text: body.msg }
  const name = findErrorName(body, status)
  const error = new ApiError(name as 'BAD_REQUEST', data as never)
  return Object.assign(error, { status: status ?? errors[name].status, message: String(body.msg), body })
}

function findErrorName(body: Record<string, unknown>, status?: number): ErrorName {
  const matches = (Object.keys(errors) as ErrorName[]).filter(
    (name) => errors[name].code === body.code && errors[name].status === (status ?? errors[name].status),
  )
  return (
    matches.find((name) => name !== 'BAD_REQUEST' && matchesDeclaration(errors[name], body)) ??
    matches[0] ??
    'BAD_REQUEST'
  )
}

function matchesDeclaration({ msg, fields = {} }: ErrorDeclaration, body: Record<string, unknown>): boolean {
  return (
    Object.keys(fields).every((field) => Object.hasOwn(body, field)) && matchesTemplate(msg, String(body.msg))
  )
}

function matchesTemplate(template: string, msg: string): boolean {
  const literals = template
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literals.join('[\\s\\S]*')}$`).test(msg)
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
 * Returns the `Retry-After` of the response that caused this error, in milliseconds; undefined if
 * it had none.
 */
export function getRetryAfterMs(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? retryDelays.get(error) : undefined
}
