import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError, bytesPerMebibyte, type FileRule, type UploadedFile } from '@oxbow/contract'
import { type BodyOptions, bodyLimit, type Given, receive } from './body.ts'

/** More parts than any form of ours has, few enough that a body full of them costs little to read. */
const formLimits = { fields: 200, files: 10, parts: 200, headerPairs: 20, fieldSize: bodyLimit }

/** Parsed as it comes in: a file that is too large is refused before all of it is here. */
export function readMultipart(request: Readable, { limit, contentType, rule }: BodyOptions): Promise<Given> {
  const { promise, resolve, reject } = Promise.withResolvers<Given>()
  const found: Given = { arguments: new Map(), files: [] }
  let form: BusboyInstance | undefined
  let [isAllHere, isParsed] = [false, false]
  // Whoever still sends would not hear what is wrong.
  const settle = () => {
    if (isAllHere && !form) reject(new ApiError('MALFORMED_FORM'))
    else if (isAllHere && isParsed) resolve(found)
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
      // A part may come without a name, which no parameter has.
      if (name !== undefined) found.arguments.set(name, value)
    })
    parser.on('file', (_field, file, name) => {
      // A part that breaks off is an error of its own, and one that nobody listens to would end the process.
      file.on('error', refuse)
      file.on('limit', refuseFile)
      // Browsers send a nameless file for a field that was left empty.
      if (rule && name) keepFile(found.files, rule, name, file)
      else file.resume()
    })
    for (const each of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(each, refuse)
    parser.on('finish', () => {
      isParsed = true
      settle()
    })
    parser.on('error', refuse)
  } catch {
    // No boundary: told when all of it is here.
  }
  receive(request, limit, (chunk) => form?.write(chunk)).then(() => {
    isAllHere = true
    form?.end()
    settle()
  }, reject)
  return promise
}

/** Of those that are too many, only that they were there. */
function keepFile(files: UploadedFile[], { maxFiles }: FileRule, name: string, file: Readable): void {
  const chunks: Buffer[] = []
  const isWanted = files.length < maxFiles
  const place = files.push({ name, bytes: new Uint8Array() }) - 1
  file.on('data', (chunk: Buffer) => isWanted && chunks.push(chunk))
  file.on('end', () => {
    files[place] = { name, bytes: Buffer.concat(chunks) }
  })
}
