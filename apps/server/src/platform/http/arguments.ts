import type { IncomingMessage } from 'node:http'
import { Busboy } from '@fastify/busboy'
import { ApiError, parseJson, type RawValue } from '@oxbow/contract'

export type Arguments = Map<string, RawValue>

/** No endpoint without files needs more. */
export const bodyLimit = 1_048_576
const maxFields = 1_000

/** The parameters of a request: from the query and, but for GET and HEAD, from the body, which wins. */
export async function readArguments(request: IncomingMessage): Promise<Arguments> {
  const found: Arguments = readForm(request.url?.match(/\?([^#]*)/)?.[1] ?? '')
  if (request.method === 'GET' || request.method === 'HEAD') return found
  for (const [name, value] of await readBody(request)) found.set(name, value)
  return found
}

function readForm(text: string): Arguments {
  // Of a repeated name the last value wins, as a Map does it.
  return new Map(new URLSearchParams(text))
}

async function readBody(request: IncomingMessage): Promise<Arguments> {
  const type = (request.headers['content-type'] ?? '').toLowerCase()
  if (type.startsWith('multipart/')) return readMultipart(request)
  const body = (await readAll(request)).toString('utf8')
  if (type.startsWith('application/json')) return readJsonObject(body)
  // Clients in the field send PATCH and DELETE forms without saying so.
  if (type.startsWith('application/x-www-form-urlencoded') || request.method !== 'POST') return readForm(body)
  return new Map()
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyLimit) throw new ApiError('REQUEST_TOO_LARGE', { limit: bodyLimit })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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

async function readMultipart(request: IncomingMessage): Promise<Arguments> {
  const body = await readAll(request)
  const { promise, resolve, reject } = Promise.withResolvers<Arguments>()
  const found: Arguments = new Map()
  try {
    const parser = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: { fields: maxFields, fieldSize: bodyLimit },
    })
    parser.on('field', (name, value) => found.set(name, value))
    parser.on('file', (_name, file) => file.resume())
    parser.on('finish', () => resolve(found))
    parser.on('error', () => reject(new ApiError('MALFORMED_FORM')))
    parser.end(body)
  } catch {
    reject(new ApiError('MALFORMED_FORM'))
  }
  return promise
}
