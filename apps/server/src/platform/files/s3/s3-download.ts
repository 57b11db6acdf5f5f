import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { countChunk } from '../collect-chunks.ts'
import { StorageUnavailable } from '../storage-refusal.ts'
import type { S3Client } from './s3-client.ts'

/** A download fails when this many responses in a row broke off without a byte. */
const maxBrokenResponses = 3

export interface Download {
  key: string
  /** Identifies the content, so that a continued download cannot mix two versions. */
  etag: string
  /** Position of the first byte in the file. */
  start: number
  /** Bytes to read. */
  length: number
  /** The response that begins with the first byte. */
  response: IncomingMessage
}

/**
 * Returns the content of a file. If a response breaks off, another request continues where it
 * ended; the byte stream fails if that is not possible, and never ends early.
 *
 * Chunks are passed on by events. With async iterators, ten downloads left so much garbage that V8
 * moved chunks among its old objects, where tens of megabytes of them stayed.
 */
export function downloadContent(client: S3Client, download: Download): Readable {
  let { response } = download
  let done = 0
  let broken = 0
  let isAwaited = false
  // A slow client may leave a response unread for longer.
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
  follow()
  return content

  function follow(): void {
    let cause: Error | undefined
    // A listener for data would start a response that nobody waits for.
    if (!isAwaited) response.pause()
    response.socket.setTimeout(0)
    response.on('data', (chunk: Buffer) => {
      broken = 0
      done += chunk.length
      countChunk(chunk.length)
      timer.refresh()
      isAwaited = content.push(chunk)
      if (!isAwaited) response.pause()
    })
    response.on('error', (error) => {
      cause = error
    })
    response.on('close', () => {
      if (done < download.length) void continueAfter(cause)
      else content.push(null)
    })
  }

  async function continueAfter(cause: Error | undefined): Promise<void> {
    if (content.destroyed) return
    try {
      if (++broken > maxBrokenResponses)
        throw new StorageUnavailable('a download from the object store broke off', { cause })
      const { key, etag, start, length } = download
      const headers = { range: `bytes=${start + done}-${start + length - 1}`, 'if-match': etag }
      response = await client.open({ method: 'GET', key, headers })
      const isRest = response.statusCode === 206
      if (content.destroyed || !isRest) response.destroy()
      if (!isRest) throw new StorageUnavailable('the object store ignores ranges')
      if (content.destroyed) return
      timer.refresh()
      follow()
    } catch (error) {
      content.destroy(error as Error)
    }
  }
}
