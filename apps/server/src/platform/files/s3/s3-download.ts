import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { countChunk } from '../collect-chunks.ts'
import { StorageUnavailable } from '../storage-refusal.ts'
import type { S3Client } from './s3-client.ts'

/** A download fails after this many consecutive responses that ended early without a single byte. */
const maxBrokenResponses = 3

export interface Download {
  key: string
  /** Identifies the content, so that a continued download cannot mix two versions. */
  etag: string
  /** Position of the first byte in the file. */
  start: number
  /** Number of bytes to read. */
  length: number
  /** The response that begins with the first byte. */
  response: IncomingMessage
}

/**
 * Returns the content of a file. If a response ends early, another request continues from there. If that is
 * not possible, the byte stream fails; it never ends early.
 *
 * Chunks are forwarded by events. With async iterators, ten downloads produced so much garbage that V8
 * promoted chunks to its old generation, where tens of megabytes of them stayed.
 */
export function downloadContent(client: S3Client, download: Download): Readable {
  let { response } = download
  let receivedBytes = 0
  let brokenResponses = 0
  let isAwaited = false
  // The timer runs only while data is awaited, because a slow client may leave a response unread for longer.
  const timer = setTimeout(() => {
    if (isAwaited) response.destroy(new Error('the object store stopped sending'))
  }, client.idleMs)
  const content: Readable = new Readable({
    read() {
      if (!isAwaited) timer.refresh()
      isAwaited = true
      response.resume()
    },
    destroy(error, closed) {
      clearTimeout(timer)
      response.destroy()
      closed(error)
    },
  })
  forwardResponse()
  return content

  function forwardResponse(): void {
    let cause: Error | undefined
    // Attaching a listener for data would start the response although nothing waits for data yet.
    if (!isAwaited) response.pause()
    response.socket.setTimeout(0)
    response.on('data', (chunk: Buffer) => {
      // More bytes than announced could pass for another response on the connection of the client.
      if (receivedBytes + chunk.length > download.length) {
        content.destroy(new StorageUnavailable('the object store sends more bytes than it announced'))
        return
      }
      brokenResponses = 0
      receivedBytes += chunk.length
      countChunk(chunk.length)
      timer.refresh()
      isAwaited = content.push(chunk)
      if (!isAwaited) response.pause()
    })
    response.on('error', (error) => {
      cause = error
    })
    response.on('close', () => {
      if (receivedBytes < download.length) void continueAfter(cause)
      else content.push(null)
    })
  }

  async function continueAfter(cause: Error | undefined): Promise<void> {
    if (content.destroyed) return
    try {
      if (++brokenResponses > maxBrokenResponses)
        throw new StorageUnavailable('a download from the object store broke off', { cause })
      const { key, etag, start, length } = download
      const headers = { range: `bytes=${start + receivedBytes}-${start + length - 1}`, 'if-match': etag }
      response = await client.open({ method: 'GET', key, headers })
      const isPartialContent = response.statusCode === 206
      if (content.destroyed || !isPartialContent) response.destroy()
      if (!isPartialContent) throw new StorageUnavailable('the object store ignores ranges')
      if (content.destroyed) return
      timer.refresh()
      forwardResponse()
    } catch (error) {
      content.destroy(error as Error)
    }
  }
}
