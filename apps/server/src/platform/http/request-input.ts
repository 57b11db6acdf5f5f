import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import {
  ApiError,
  bytesPerMebibyte,
  parseJson,
  type RawValue,
  type UploadedFile,
  type WholeFileRule,
} from '@oxbow/contract'

export type Arguments = Map<string, RawValue>

/** Parameters and uploaded files of a request. */
export interface RequestInput {
  arguments: Arguments
  files: UploadedFile[]
}

export interface BodyOptions {
  limit: number
  /**
   * The content type of the request, which is hidden from Fastify because Fastify would refuse unknown types.
   */
  contentType: string | undefined
  /** Limits for files; without a rule, files are skipped. */
  rule?: WholeFileRule | undefined
}

/** Limit in bytes for bodies without files. */
export const bodyLimit = 1_048_576

/** More parts than any endpoint needs, but few enough to limit the cost of parsing. */
const formLimits = { fields: 200, files: 10, parts: 200, headerPairs: 20, fieldSize: bodyLimit }

/**
 * Body limit for requests without an account. It is low, because anyone can send them and parsing takes time.
 */
export const anonymousBodyLimit = 32_768

/**
 * Returns the limit in bytes of a body with files. It allows one file more than `maxFiles`, so that a
 * client that sends too many files gets the specific error.
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
  const body = await readRequestBody(request, options)
  for (const [name, value] of body.arguments) found.set(name, value)
  return { arguments: found, files: body.files }
}

/** Reads the body without the query. */
export async function readRequestBody(request: IncomingMessage, options: BodyOptions): Promise<RequestInput> {
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
  // Only multipart bodies contain files, for which the limit may be higher.
  const text = (await receiveWhole(request, Math.min(limit, bodyLimit))).toString('utf8')
  if (type.startsWith('application/json')) return readJsonObject(text)
  // Existing clients send PATCH and DELETE forms without a content type.
  if (type.startsWith('application/x-www-form-urlencoded') || request.method !== 'POST')
    return readFormBody(text)
  return new Map()
}

function readFormBody(text: string): Arguments {
  // URLSearchParams takes seconds for a form with 500,000 fields.
  if (text.split('&', formLimits.fields + 1).length > formLimits.fields)
    throw new ApiError('FORM_TOO_LARGE', { limit: formLimits.fields })
  return readForm(text)
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

/**
 * Receives a body chunk by chunk. Uses events, because leaving `for await` early would close the
 * connection.
 */
export function receive(request: Readable, limit: number, take: (chunk: Buffer) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let size = 0
  const count = (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) take(chunk)
    else {
      request.off('data', count)
      reject(new ApiError('REQUEST_TOO_LARGE', { limit }))
    }
  }
  request.on('data', count)
  request.on('end', resolve)
  // A client that disconnects in the middle of the body is not an error of the server. `close` is emitted
  // for every request; the check avoids creating an error, which is expensive, for complete requests.
  const onDisconnect = () => {
    if (!request.readableEnded) reject(new ApiError('UNREADABLE_REQUEST'))
  }
  request.on('error', onDisconnect)
  request.on('close', onDisconnect)
  return promise
}

export async function receiveWhole(request: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  await receive(request, limit, (chunk) => chunks.push(chunk))
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

/**
 * Parses a multipart form as it arrives: a file that is too large is refused before all of it was
 * received.
 */
export function readMultipart(
  request: Readable,
  { limit, contentType, rule }: BodyOptions,
): Promise<RequestInput> {
  const { promise, resolve, reject } = Promise.withResolvers<RequestInput>()
  const found: RequestInput = { arguments: new Map(), files: [] }
  let form: BusboyInstance | undefined
  let [isReceived, isParsed, isEmpty, hasTooManyParts] = [false, false, true, false]
  // An error is reported only after the whole body was received, because a client that is still sending would
  // not read it.
  const settle = () => {
    // Existing clients send an empty body if a call has no parameters.
    if (isReceived && isEmpty) resolve(found)
    else if (isReceived && hasTooManyParts)
      reject(new ApiError('FORM_TOO_LARGE', { limit: formLimits.parts }))
    else if (isReceived && !form) reject(new ApiError('MALFORMED_FORM'))
    else if (isReceived && isParsed) resolve(found)
  }
  const refuse = () => {
    form = undefined
    settle()
  }
  const refuseFile = () => {
    form = undefined
    reject(new ApiError('FILE_TOO_LARGE', { limit: (rule?.maxBytes ?? 0) / bytesPerMebibyte }))
  }
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType ?? '' },
      limits: { ...formLimits, ...(rule && { fileSize: rule.maxBytes }) },
    })
    form = parser
    parser.on('field', (name: string | undefined, value) => {
      // Parts without a name are ignored.
      if (name !== undefined) found.arguments.set(name, value)
    })
    parser.on('file', (_field, file, name) => {
      // A truncated part emits an error, which would end the process if it were not handled.
      file.on('error', refuse)
      file.on('limit', refuseFile)
      // Browsers send a file without a name for an empty file field.
      if (rule && name) keepFile(found.files, rule, name, file)
      else file.resume()
    })
    const refuseParts = () => {
      hasTooManyParts = true
      refuse()
    }
    parser.on('partsLimit', refuseParts).on('fieldsLimit', refuseParts).on('filesLimit', refuse)
    parser.on('finish', () => {
      isParsed = true
      settle()
    })
    parser.on('error', refuse)
  } catch {
    // The content type has no boundary. The request is rejected once the whole body was received.
  }
  const parse = (chunk: Buffer) => {
    isEmpty = false
    form?.write(chunk)
  }
  receive(request, limit, parse).then(() => {
    isReceived = true
    form?.end()
    settle()
  }, reject)
  return promise
}

/** Adds a file to the list. Files beyond `maxFiles` are listed without their content. */
function keepFile(files: UploadedFile[], { maxFiles }: WholeFileRule, name: string, file: Readable): void {
  const chunks: Buffer[] = []
  const isKept = files.length < maxFiles
  const index = files.push({ name, bytes: new Uint8Array() }) - 1
  file.on('data', (chunk: Buffer) => isKept && chunks.push(chunk))
  file.on('end', () => {
    files[index] = { name, bytes: Buffer.concat(chunks) }
  })
}
