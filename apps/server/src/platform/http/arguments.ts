import type { IncomingMessage } from 'node:http'
import { ApiError, parseJson, type WholeFileRule } from '@oxbow/contract'
import { type Arguments, type BodyOptions, bodyLimit, type RequestInput, receiveWhole } from './body.ts'
import { readMultipart } from './multipart.ts'

/**
 * Body limit for requests without an account. It is low, because anyone can send them and parsing takes time.
 */
export const anonymousBodyLimit = 32_768

/**
 * Returns the body limit in bytes. It allows one file more than `maxFiles`, so that a client that sends too
 * many files gets the specific error.
 */
export function bodyLimitFor(rule: WholeFileRule | undefined): number {
  return rule ? bodyLimit + (rule.maxFiles + 1) * rule.maxBytes : bodyLimit
}

/** Reads query and body; returns synchronously if there is no body. */
export function readRequest(
  request: IncomingMessage,
  options: BodyOptions,
): RequestInput | Promise<RequestInput> {
  const found = readQuery(request)
  return hasBody(request) ? addBody(request, options, found) : { arguments: found, files: [] }
}

function hasBody({ method }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

export function readQuery({ url = '' }: IncomingMessage): Arguments {
  const start = url.indexOf('?')
  if (start === -1) return new Map()
  const end = url.indexOf('#', start)
  return readForm(url.slice(start + 1, end === -1 ? undefined : end))
}

/** Adds the parameters of the body, which take precedence over those of the query. */
async function addBody(
  request: IncomingMessage,
  options: BodyOptions,
  found: Arguments,
): Promise<RequestInput> {
  const body = await readBody(request, options)
  for (const [name, value] of body.arguments) found.set(name, value)
  return { arguments: found, files: body.files }
}

/** Reads the body without the query. */
export async function readBody(request: IncomingMessage, options: BodyOptions): Promise<RequestInput> {
  const type = options.contentType?.trim().toLowerCase() ?? ''
  return type.startsWith('multipart/')
    ? readMultipart(request, options)
    : { arguments: await readPlainBody(request, options, type), files: [] }
}

function readForm(text: string): Arguments {
  // The last value of a repeated name wins.
  return new Map(new URLSearchParams(text))
}

async function readPlainBody(
  request: IncomingMessage,
  { limit }: BodyOptions,
  type: string,
): Promise<Arguments> {
  const text = (await receiveWhole(request, limit)).toString('utf8')
  if (type.startsWith('application/json')) return readJsonObject(text)
  // Existing clients send PATCH and DELETE forms without a content type.
  if (type.startsWith('application/x-www-form-urlencoded') || request.method !== 'POST') return readForm(text)
  return new Map()
}

function readJsonObject(body: string): Arguments {
  let parsed: unknown
  try {
    parsed = body === '' ? {} : parseJson(body)
  } catch {
    throw new ApiError('INVALID_JSON')
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw new ApiError('INVALID_JSON')
  // A string is treated like a form field; any other value is already decoded.
  return new Map(
    Object.entries(parsed).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : { parsed: value },
    ]),
  )
}
