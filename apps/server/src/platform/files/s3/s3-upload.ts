import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { countChunk } from '../collect-chunks.ts'
import type { PutFile } from '../file-store.ts'
import { StorageUnavailable } from '../storage-refusal.ts'
import { type S3Client, S3Refusal } from './s3-client.ts'
import { findElement } from './s3-xml.ts'

/** The smallest allowed size of a part; only the last part may be smaller. */
const partBytes = 5_242_880
/** Maximum number of parts per file that object stores accept. */
const maxParts = 10_000
/** Assembling thousands of parts takes an object store longer than other requests. */
const completionMs = 120_000
/** Metadata that identifies one `put`, to recognize its outcome if a response is lost. */
const putHeader = 'x-amz-meta-oxbow-put'

/**
 * Stores a byte stream of any length, with at most one part of it in memory. Content that fits into one part
 * takes one request. Longer content becomes visible, as a whole, with the last request.
 */
export async function uploadStream(client: S3Client, key: string, content: Readable): Promise<PutFile> {
  // The operating system provides memory only when it is written to, so short content does not take 5 MB.
  const part = Buffer.allocUnsafeSlow(partBytes)
  const fileHash = createHash('sha256')
  let partHash = createHash('sha256')
  let [size, filled] = [0, 0]
  let upload: MultipartUpload | undefined
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      countChunk(chunk.length)
      fileHash.update(chunk)
      size += chunk.length
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + partBytes - filled)
        part.set(taken, filled)
        partHash.update(taken)
        filled += taken.length
        at += taken.length
        if (filled < partBytes) continue
        upload ??= await beginUpload(client, key)
        await upload.putPart(part, partHash.digest('hex'))
        partHash = createHash('sha256')
        filled = 0
      }
    }
    const sha256 = fileHash.digest('hex')
    const last = part.subarray(0, filled)
    if (!upload) await client.call({ method: 'PUT', key, body: last, sha256 })
    else {
      if (filled > 0) await upload.putPart(last, partHash.digest('hex'))
      await upload.complete(size)
    }
    return { size, sha256 }
  } catch (error) {
    content.destroy()
    // If the object store cannot be reached, `tidy` aborts the upload a day later.
    await upload?.abort().catch(() => {})
    throw error
  }
}

export interface MultipartUpload {
  putPart(body: Uint8Array, sha256: string): Promise<void>
  complete(size: number): Promise<void>
  abort(): Promise<void>
}

/** Begins an upload in parts, which becomes visible when it is completed. */
export async function beginUpload(client: S3Client, key: string): Promise<MultipartUpload> {
  const id = randomUUID()
  const headers = { [putHeader]: id }
  const { text } = await client.call({ method: 'POST', key, query: { uploads: '' }, headers })
  const uploadId = findElement(text, 'UploadId')
  if (!uploadId) throw new StorageUnavailable('the object store did not begin an upload')
  const etags: string[] = []
  return {
    async putPart(body, sha256) {
      if (etags.length >= maxParts) throw new Error(`a file has more than ${maxParts * partBytes} bytes`)
      const query = { partNumber: String(etags.length + 1), uploadId }
      const { headers } = await client.call({ method: 'PUT', key, query, body, sha256 })
      etags.push(String(headers.etag))
    },
    complete: (size) => completeUpload(client, { key, uploadId, etags, id, size }),
    abort: () => abortUpload(client, key, uploadId),
  }
}

export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client.call({ method: 'DELETE', key, query: { uploadId }, expected: [404] })
}

interface Completion {
  key: string
  uploadId: string
  etags: readonly string[]
  id: string
  size: number
}

async function completeUpload(
  client: S3Client,
  { key, uploadId, etags, id, size }: Completion,
): Promise<void> {
  const parts = etags.map((etag, index) => {
    const quoted = `"${etag.replaceAll('"', '')}"`
    return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${quoted}</ETag></Part>`
  })
  const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const headers = { 'content-type': 'application/xml' }
  const body = Buffer.from(xml)
  try {
    const request = { method: 'POST', key, query: { uploadId }, headers, body, idleMs: completionMs } as const
    const { text } = await client.call(request)
    // The object store sends the status before it has finished, so an error may follow in the body.
    const code = findElement(text, 'Code')
    if (code) throw new StorageUnavailable(`the object store refuses requests: ${code}`, { code })
  } catch (error) {
    // If the first response was lost, the retried request gets this error although the upload is complete.
    if (!(error instanceof S3Refusal && error.code === 'NoSuchUpload')) throw error
    const found = await client.call({ method: 'HEAD', key, expected: [404] })
    const isStored = found.headers[putHeader] === id && Number(found.headers['content-length']) === size
    if (!isStored) throw error
  }
}
