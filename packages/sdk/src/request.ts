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
  /** Where the organization is, like https://chat.example.com. */
  url: string
  /** Without credentials only the public endpoints answer. */
  credentials?: Credentials
  /** What this program calls itself. */
  userAgent?: string
  fetch?: typeof fetch
}

export interface Credentials {
  email: string
  api_key: string
}

export interface RequestOptions {
  /** The call ends when it is aborted, with its reason. */
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>>
}

/** Something that is no answer of this protocol: a proxy's page, a broken connection. */
export class TransportError extends Error {
  /** Absent where there was no answer, or not all of it. */
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
  given: object,
  { signal, headers = {} }: RequestOptions = {},
): Promise<Response> {
  const { url, fetch: send = fetch } = options
  const encoded = encode(endpoint, given as never)
  const inQuery = encoded.method === 'GET' || encoded.method === 'DELETE'
  const query = inQuery && encoded.arguments.size > 0 ? `?${encoded.arguments}` : ''
  const sent = send(`${url.replace(/\/+$/, '')}${encoded.path}${query}`, {
    method: encoded.method,
    headers: { ...headersFor(options), ...headers },
    ...(!inQuery && { body: bodyOf(encoded) }),
    ...(signal && { signal }),
  })
  return orBroken(sent, `${url} does not answer`, signal)
}

function bodyOf({ arguments: fields, files }: EncodedRequest): URLSearchParams | FormData {
  if (files.length === 0) return fields
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  for (const { name, bytes } of files) {
    // A copy, because not every array of bytes is one that a blob may be made of.
    const blob = bytes instanceof Blob ? bytes : new Blob([new Uint8Array(bytes)])
    form.append('file', blob, name)
  }
  return form
}

/** What the server says: the fields of its answer, or the error it raised. */
export async function readAnswer(response: Response, signal?: AbortSignal): Promise<object> {
  const text = await orBroken(response.text(), 'The connection broke in the middle of an answer', signal)
  const body = parseEnvelope(text)
  const error = body
    ? body.result !== 'success' && remoteError(body, response.status)
    : new TransportError(`The server answered ${response.status} with something that is no envelope`, {
        status: response.status,
      })
  if (error) throw noteRetryAfter(error, response)
  const { result, msg, ...fields } = body ?? {}
  return fields
}

/** Whoever gave up hears their own reason; anything else that fails is the connection. */
export async function orBroken<Value>(
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

function headersFor({ credentials, userAgent = 'OxbowSdk' }: ClientOptions): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent }
  if (credentials) headers.authorization = `Basic ${base64(`${credentials.email}:${credentials.api_key}`)}`
  return headers
}

/** `btoa` alone takes no more than Latin letters. */
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
 * The error as the server raised it: found again by its code and text, so that both sides speak of the same one. One
 * that came without a status has that of the contract.
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
    matches.find((name) => name !== 'BAD_REQUEST' && fits(errors[name], body)) ?? matches[0] ?? 'BAD_REQUEST'
  )
}

function fits({ msg, fields = {} }: ErrorDeclaration, body: Record<string, unknown>): boolean {
  return Object.keys(fields).every((field) => Object.hasOwn(body, field)) && fitsText(msg, String(body.msg))
}

function fitsText(template: string, msg: string): boolean {
  const literals = template
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literals.join('[\\s\\S]*')}$`).test(msg)
}

const waits = new WeakMap<object, number>()

function noteRetryAfter<Thrown extends Error>(error: Thrown, { headers }: Response): Thrown {
  const given = headers.get('retry-after')
  if (given === null) return error
  const seconds = Number(given)
  const wait = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000
  if (wait > 0) waits.set(error, wait)
  return error
}

/** How long the server asked to be left alone when it answered with this error, in milliseconds. */
export function retryAfterOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? waits.get(error) : undefined
}
