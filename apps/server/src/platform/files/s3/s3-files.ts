import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type ByteRange,
  type FileStore,
  isKey,
  type ListedFile,
  refuseUnlessKey,
  refuseUnlessPrefix,
  type StoredFile,
} from '../file-store.ts'
import { StorageUnavailable } from '../storage-refusal.ts'
import { isProbeKey, probePrefix } from './check-bucket.ts'
import { S3Client, type S3ClientOptions, S3Refusal } from './s3-client.ts'
import { downloadContent } from './s3-download.ts'
import type { S3Settings } from './s3-settings.ts'
import { abortUpload, uploadStream } from './s3-upload.ts'
import { findElement, listElements } from './s3-xml.ts'

export interface S3FilesOptions extends S3ClientOptions {
  /** Lets clients fetch files directly from the object store, by presigned URLs. */
  redirect?: boolean
  /** Milliseconds after which `tidy` ends an unfinished upload; longer than any `put` takes. */
  abandonedAfterMs?: number
}

/** Stores files as objects of a bucket. */
export function s3Files(settings: S3Settings, options: S3FilesOptions = {}): FileStore {
  const { redirect = false, abandonedAfterMs = 86_400_000 } = options
  const client = new S3Client(settings, options)
  return {
    async put(key, content) {
      refuseUnlessKey(key)
      if (content instanceof Readable) return uploadStream(client, key, content)
      const sha256 = createHash('sha256').update(content).digest('hex')
      await client.call({ method: 'PUT', key, body: content, sha256 })
      return { size: content.length, sha256 }
    },
    async get(key, range) {
      refuseUnlessKey(key)
      return openObject(client, key, range)
    },
    async stat(key) {
      refuseUnlessKey(key)
      return findObject(client, key)
    },
    async remove(key) {
      refuseUnlessKey(key)
      await client.call({ method: 'DELETE', key, expected: [404] })
    },
    list(prefix) {
      refuseUnlessPrefix(prefix)
      return listFiles(client, prefix)
    },
    async presign(key, { seconds, contentType, contentDisposition }) {
      refuseUnlessKey(key)
      if (!redirect) return undefined
      const query = {
        'response-content-type': contentType,
        'response-content-disposition': contentDisposition,
      }
      return client.presign(key, query, seconds)
    },
    async tidy() {
      await abortAbandonedUploads(client, abandonedAfterMs)
      await removeAbandonedProbes(client, abandonedAfterMs)
    },
  }
}

async function findObject(client: S3Client, key: string): Promise<{ size: number } | undefined> {
  const { status, headers } = await client.call({ method: 'HEAD', key, expected: [404] })
  if (status === 404) return undefined
  const size = Number(headers['content-length'])
  if (!Number.isSafeInteger(size)) throw misfit()
  return { size }
}

async function openObject(
  client: S3Client,
  key: string,
  range: ByteRange | undefined,
): Promise<StoredFile | undefined> {
  const headers = range && { range: `bytes=${range.start}-${range.end}` }
  const response = await client
    .open({ method: 'GET', key, ...(headers && { headers }) })
    .catch((error: unknown) => {
      if (!(error instanceof S3Refusal)) throw error
      const isExpected = error.status === 416 || (error.status === 404 && error.code !== 'NoSuchBucket')
      if (!isExpected) throw error
      return error.status
    })
  if (response === 404) return undefined
  if (typeof response === 'number') {
    const found = await findObject(client, key)
    return found && { size: found.size, content: Readable.from([]) }
  }
  const length = Number(response.headers['content-length'])
  const contentRange = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers['content-range'] ?? '')
  const [start, size] = contentRange ? [Number(contentRange[1]), Number(contentRange[2])] : [0, length]
  const end = Math.min(range?.end ?? Number.POSITIVE_INFINITY, size - 1)
  const isRequestedRange = range ? contentRange !== null && start === range.start : contentRange === null
  const { etag } = response.headers
  if (!isRequestedRange || !Number.isSafeInteger(size) || length !== end - start + 1 || !etag) {
    response.destroy()
    throw misfit()
  }
  return { size, content: downloadContent(client, { key, etag, start, length, response }) }
}

const misfit = () => new StorageUnavailable('the object store answers with headers that do not fit')

async function* listFiles(client: S3Client, below: string): AsyncGenerator<ListedFile> {
  for await (const object of listObjects(client, below)) if (isKey(object.key)) yield object
}

/** Removes test objects of nodes that died while they checked the bucket at their start. */
async function removeAbandonedProbes(client: S3Client, abandonedAfterMs: number): Promise<void> {
  // Others may write to the bucket: a name with `..` could refer to an object that is not ours.
  for await (const { key, changedAt } of listObjects(client, probePrefix))
    if (isProbeKey(key) && Date.now() - changedAt.getTime() >= abandonedAfterMs)
      await client.call({ method: 'DELETE', key, expected: [404] })
}

async function* listObjects(client: S3Client, below: string): AsyncGenerator<ListedFile> {
  const { prefix } = client.settings
  let token: string | undefined
  do {
    const query = {
      'list-type': '2',
      prefix: prefix + below,
      ...(token && { 'continuation-token': token }),
    }
    const { text } = await client.call({ method: 'GET', query })
    for (const object of listElements(text, 'Contents')) {
      const key = (findElement(object, 'Key') ?? '').slice(prefix.length)
      const changedAt = new Date(findElement(object, 'LastModified') ?? '')
      yield { key, size: Number(findElement(object, 'Size')), changedAt }
    }
    const next = findElement(text, 'NextContinuationToken')
    if (next && next === token) throw new StorageUnavailable('the object store repeats a page of a list')
    token = next
  } while (token)
}

/**
 * Ends uploads that began long ago: their parts take up space in the bucket, but no listing of files shows
 * them.
 */
async function abortAbandonedUploads(client: S3Client, abandonedAfterMs: number): Promise<void> {
  const { prefix } = client.settings
  let markers: Record<string, string> | undefined = {}
  while (markers) {
    const { text }: { text: string } = await client.call({
      method: 'GET',
      query: { uploads: '', prefix, ...markers },
    })
    for (const upload of listElements(text, 'Upload')) {
      const key = (findElement(upload, 'Key') ?? '').slice(prefix.length)
      const uploadId = findElement(upload, 'UploadId')
      const began = new Date(findElement(upload, 'Initiated') ?? '').getTime()
      const isOwnKey = isKey(key) || isProbeKey(key)
      if (uploadId && isOwnKey && Date.now() - began >= abandonedAfterMs)
        await abortUpload(client, key, uploadId)
    }
    const [keyMarker, idMarker] = [
      findElement(text, 'NextKeyMarker'),
      findElement(text, 'NextUploadIdMarker'),
    ]
    const isCut = findElement(text, 'IsTruncated') === 'true' && keyMarker
    if (isCut && keyMarker === markers['key-marker'] && (idMarker ?? '') === markers['upload-id-marker'])
      throw new StorageUnavailable('the object store repeats a page of a list')
    markers = isCut ? { 'key-marker': keyMarker, 'upload-id-marker': idMarker ?? '' } : undefined
  }
}
