import type { Readable } from 'node:stream'
import { ApiError, type RawValue, type UploadedFile, type WholeFileRule } from '@oxbow/contract'

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

/** Limit in bytes for endpoints without files. */
export const bodyLimit = 1_048_576

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
