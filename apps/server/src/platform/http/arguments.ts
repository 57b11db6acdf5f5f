import type { IncomingMessage } from 'node:http'
import { ApiError, type FileRule, parseJson } from '@oxbow/contract'
import { type Arguments, type BodyOptions, bodyLimit, type Given, receiveWhole } from './body.ts'
import { readMultipart } from './multipart.ts'

/** Before someone is known, little is believed of them: parsing is work, and anyone can ask for it. */
export const strangersBodyLimit = 32_768

/** One file more than is wanted still fits, so that whoever sends it hears what is wrong. */
export function bodyLimitFor(rule: FileRule | undefined): number {
  return rule ? bodyLimit + (rule.maxFiles + 1) * rule.maxBytes : bodyLimit
}

/** At once where there is no body to wait for. */
export function readRequest(request: IncomingMessage, options: BodyOptions): Given | Promise<Given> {
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

/** Parameters come from the query and from the body, which wins. */
async function addBody(request: IncomingMessage, options: BodyOptions, found: Arguments): Promise<Given> {
  const type = options.contentType?.trim().toLowerCase() ?? ''
  const body = type.startsWith('multipart/')
    ? await readMultipart(request, options)
    : { arguments: await readPlainBody(request, options, type), files: [] }
  for (const [name, value] of body.arguments) found.set(name, value)
  return { arguments: found, files: body.files }
}

function readForm(text: string): Arguments {
  // Of a repeated name the last value wins, as a Map does it.
  return new Map(new URLSearchParams(text))
}

async function readPlainBody(
  request: IncomingMessage,
  { limit }: BodyOptions,
  type: string,
): Promise<Arguments> {
  const text = (await receiveWhole(request, limit)).toString('utf8')
  if (type.startsWith('application/json')) return readJsonObject(text)
  // Clients in the field send PATCH and DELETE forms without saying so.
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
  // A string stands for what a form field would hold; anything else is already decoded.
  return new Map(
    Object.entries(parsed).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : { parsed: value },
    ]),
  )
}
