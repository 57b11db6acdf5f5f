import type { Readable } from 'node:stream'
import { ApiError, type FileRule, type RawValue, type UploadedFile } from '@oxbow/contract'

export type Arguments = Map<string, RawValue>

/** What a request brings: parameters, and files where the endpoint takes some. */
export interface Given {
  arguments: Arguments
  files: UploadedFile[]
}

export interface BodyOptions {
  limit: number
  /** As the request named it; Fastify does not get to see what it would refuse. */
  contentType: string | undefined
  /** Files that the endpoint takes; elsewhere they are passed over. */
  rule?: FileRule | undefined
}

/** No endpoint without files needs more. */
export const bodyLimit = 1_048_576

/** By events, because leaving a loop over the request would end its connection before the answer is sent. */
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
  // The caller hung up half-way, which is nobody's mistake.
  const gone = () => reject(new ApiError('UNREADABLE_REQUEST'))
  request.on('error', gone)
  request.on('close', gone)
  return promise
}

export async function receiveWhole(request: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  await receive(request, limit, (chunk) => chunks.push(chunk))
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}
