import type { Readable } from 'node:stream'

/** Maximum time, in seconds, that an attempt to store or remove a small file may take. */
export const maxStoringSeconds = 90

/**
 * Stores files by key until they are removed. A key is a path of plain names, like `avatars/1/7/2.png`. A key
 * either has the complete content of the last `put` or does not exist.
 */
export interface FileStore {
  /**
   * Stores the content, completely or not at all. Resolves once the content would survive a crash of the
   * machine. A byte stream is read with back pressure, and destroyed if storing fails; its size need not be
   * known. If the byte stream fails, rejects with its error.
   */
  put(key: string, content: Uint8Array | Readable): Promise<PutFile>
  /** Opens a file, or a range of its bytes, which may extend past its end. */
  get(key: string, range?: ByteRange): Promise<StoredFile | undefined>
  stat(key: string): Promise<{ size: number } | undefined>
  /** Removes the file if it exists. */
  remove(key: string): Promise<void>
  /** Lists the files whose keys begin with the prefix, in the order of their keys' bytes. */
  list(prefix: string): AsyncIterable<ListedFile>
  /**
   * Returns a URL at which a client without credentials gets the file from the object store; undefined
   * if clients must get it from a node. Does not check that the file exists.
   */
  presign(key: string, options: PresignOptions): Promise<string | undefined>
  /** Removes leftovers of interrupted puts. */
  tidy(): Promise<void>
}

export interface PutFile {
  /** Size of the content in bytes. */
  size: number
  /** Hexadecimal digest of the content. */
  sha256: string
}

/** Positions of the first and the last byte; the first byte of a file has position 0. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredFile {
  /** Size of the whole file in bytes, even if only a range of it was opened. */
  size: number
  /**
   * The requested bytes. Fails instead of ending early. The caller must read the stream to its end or destroy
   * it.
   */
  content: Readable
}

export interface ListedFile {
  key: string
  size: number
  changedAt: Date
}

interface PresignOptions {
  /** Number of seconds for which the URL is valid. */
  seconds: number
  /** Headers that the object store sends with the file. */
  contentType: string
  contentDisposition: string
}

const maxKeyLength = 400
const keyPattern = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

/**
 * Throws if the key could be a path outside the store. Keys are built from ids, so that would be a
 * bug.
 */
export function refuseUnlessKey(key: string): void {
  if (!isKey(key)) throw new Error(`${JSON.stringify(key.slice(0, maxKeyLength))} is not a file key`)
}

/** Throws if no key can begin with the prefix. */
export function refuseUnlessPrefix(prefix: string): void {
  if (prefix !== '' && !isKey(prefix.replace(/\/$/, '')))
    throw new Error(`${JSON.stringify(prefix.slice(0, maxKeyLength))} is not a key prefix`)
}

/** Returns whether the name of a file on a disk or in a bucket is a key. */
export function isKey(key: string): boolean {
  return key.length <= maxKeyLength && keyPattern.test(key)
}
