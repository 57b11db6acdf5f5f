import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError, bytesPerMebibyte, type UploadedFile, type WholeFileRule } from '@oxbow/contract'
import { type BodyOptions, bodyLimit, type RequestInput, receive } from './body.ts'

/** More parts than any endpoint needs, but few enough to limit the cost of parsing. */
const formLimits = { fields: 200, files: 10, parts: 200, headerPairs: 20, fieldSize: bodyLimit }

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
  let [isReceived, isParsed, isEmpty] = [false, false, true]
  // An error is reported only after the whole body was received, because a client that is still sending would
  // not read it.
  const settle = () => {
    // Existing clients send an empty body if a call has no parameters.
    if (isReceived && isEmpty) resolve(found)
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
    for (const eventName of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(eventName, refuse)
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
