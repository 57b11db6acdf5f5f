import type { IncomingMessage } from 'node:http'
import { Busboy } from '@fastify/busboy'
import { ApiError, parseJson, type RawValue } from '@oxbow/contract'

export type Arguments = Map<string, RawValue>

/** No endpoint without files needs more. */
export const bodyLimit = 1_048_576
/** Before someone is known, little is believed of them: parsing is work, and anyone can ask for it. */
export const strangersBodyLimit = 32_768

/** More parts than any form of ours has, few enough that a body full of them costs little to read. */
const formLimits = { fields: 200, files: 10, parts: 200, headerPairs: 20, fieldSize: bodyLimit }

export interface BodyOptions {
  limit: number
  /** As the request named it; Fastify does not get to see what it would refuse. */
  contentType: string | undefined
}

export function hasBody({ method }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

export function readQuery({ url = '' }: IncomingMessage): Arguments {
  const start = url.indexOf('?')
  if (start === -1) return new Map()
  const end = url.indexOf('#', start)
  return readForm(url.slice(start + 1, end === -1 ? undefined : end))
}

/** The parameters of a request: from the query and, but for GET and HEAD, from the body, which wins. */
export async function readArguments(request: IncomingMessage, options: BodyOptions): Promise<Arguments> {
  const found = readQuery(request)
  if (!hasBody(request)) return found
  for (const [name, value] of await readBody(request, options)) found.set(name, value)
  return found
}

function readForm(text: string): Arguments {
  // Of a repeated name the last value wins, as a Map does it.
  return new Map(new URLSearchParams(text))
}

async function readBody(
  request: IncomingMessage,
  { limit, contentType = '' }: BodyOptions,
): Promise<Arguments> {
  const body = await readAll(request, limit)
  const type = contentType.trim().toLowerCase()
  if (type.startsWith('multipart/')) return readMultipart(body, contentType)
  const text = body.toString('utf8')
  if (type.startsWith('application/json')) return readJsonObject(text)
  // Clients in the field send PATCH and DELETE forms without saying so.
  if (type.startsWith('application/x-www-form-urlencoded') || request.method !== 'POST') return readForm(text)
  return new Map()
}

/** By events, because leaving a loop over the request would end its connection before the answer is sent. */
function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else {
      request.off('data', take)
      reject(new ApiError('REQUEST_TOO_LARGE', { limit }))
    }
  }
  request.on('data', take)
  request.on('end', () => resolve(Buffer.concat(chunks)))
  // The caller hung up half-way, which is nobody's mistake.
  const gone = () => reject(new ApiError('UNREADABLE_REQUEST'))
  request.on('error', gone)
  request.on('close', gone)
  return promise
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

async function readMultipart(body: Buffer, contentType: string): Promise<Arguments> {
  const { promise, resolve, reject } = Promise.withResolvers<Arguments>()
  const found: Arguments = new Map()
  const refuse = () => reject(new ApiError('MALFORMED_FORM'))
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, limits: formLimits })
    parser.on('field', (name, value) => found.set(name, value))
    parser.on('file', (_name, file) => {
      // A part that breaks off is an error of its own, and one that nobody listens to would end the process.
      file.on('error', refuse)
      file.resume()
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, refuse)
    parser.on('finish', () => resolve(found))
    parser.on('error', refuse)
    parser.end(body)
  } catch {
    refuse()
  }
  return promise
}
