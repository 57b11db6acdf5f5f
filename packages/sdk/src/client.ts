import {
  type Api,
  ApiError,
  type ArgumentsOf,
  api,
  type Endpoint,
  type ErrorName,
  encode,
  errors,
  type ResponseOf,
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

export type Call<E extends Endpoint> =
  Record<string, never> extends ArgumentsOf<E>
    ? (given?: ArgumentsOf<E>) => Promise<ResponseOf<E>>
    : (given: ArgumentsOf<E>) => Promise<ResponseOf<E>>

/** `client.users.list()`: the groups and names of the contract, each a typed call. */
export type Client = {
  readonly [Group in keyof Api]: {
    readonly [Name in keyof Api[Group]]: Api[Group][Name] extends Endpoint ? Call<Api[Group][Name]> : never
  }
}

export function createClient(options: ClientOptions): Client {
  const groups = Object.entries(api).map(([group, endpoints]) => {
    const calls = Object.entries(endpoints).map(([name, endpoint]) => [
      name,
      (given?: object) => call(options, endpoint as Endpoint, given ?? {}),
    ])
    return [group, Object.fromEntries(calls)]
  })
  return Object.fromEntries(groups)
}

/** Something that is no answer of this protocol: a proxy's page, a broken connection. */
export class TransportError extends Error {
  readonly status: number | undefined

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TransportError'
    this.status = options.status
  }
}

async function call(options: ClientOptions, endpoint: Endpoint, given: object): Promise<object> {
  const encoded = encode(endpoint, given as never)
  const inQuery = encoded.method === 'GET' || encoded.method === 'DELETE'
  const query = inQuery && encoded.arguments.size > 0 ? `?${encoded.arguments}` : ''
  const response = await send(options, `${encoded.path}${query}`, {
    method: encoded.method,
    headers: headersFor(options),
    ...(!inQuery && { body: encoded.arguments }),
  })
  const { result, msg, ...fields } = await readBody(response)
  if (result === 'success') return fields
  throw remoteError(response.status, { result, msg, ...fields })
}

async function send(
  { url, fetch: send = fetch }: ClientOptions,
  path: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await send(`${url.replace(/\/+$/, '')}${path}`, init)
  } catch (cause) {
    throw new TransportError(`${url} does not answer`, { cause })
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

async function readBody(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  try {
    const body = JSON.parse(text)
    if (body !== null && typeof body === 'object' && 'result' in body) return body
  } catch {
    // Fall through: not an envelope.
  }
  throw new TransportError(`The server answered ${response.status} with something that is no envelope`, {
    status: response.status,
  })
}

/** The error as the server raised it: found again by its code and text, so that both sides speak of the same one. */
function remoteError(status: number, body: Record<string, unknown>): ApiError {
  const data = { ...body, text: body.msg }
  const name = findErrorName(status, String(body.code), String(body.msg))
  const error = new ApiError(name as 'BAD_REQUEST', data as never)
  return Object.assign(error, { status, message: String(body.msg), body })
}

function findErrorName(status: number, code: string, msg: string): ErrorName {
  const names = Object.keys(errors) as ErrorName[]
  const matches = names.filter((name) => errors[name].status === status && errors[name].code === code)
  return (
    matches.find((name) => name !== 'BAD_REQUEST' && fits(errors[name].msg, msg)) ??
    matches[0] ??
    'BAD_REQUEST'
  )
}

function fits(template: string, msg: string): boolean {
  const literals = template
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literals.join('[\\s\\S]*')}$`).test(msg)
}
