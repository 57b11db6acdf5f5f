import type { Readable } from 'node:stream'

/** The longest time, in seconds, that storing or removing a small file can take before it is given up. */
export const maxStoringSeconds = 90

/**
 * Stores files by key until they are removed. A key is a path of plain names, like
 * `avatars/1/7/2.png`. A key always has the complete content of the last `put`, or none.
 */
export interface FileStore {
  /**
   * Stores the content, completely or not at all. Resolves once it would survive a crash of the
   * machine. A byte stream is read with back pressure, and destroyed if storing fails; its size need
   * not be known. Rejects with the byte stream's own error if it fails.
   */
  put(key: string, content: Uint8Array | Readable): Promise<PutFile>
  /** Opens a file, or a range of its bytes, which is cut at the end of the file. */
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
  /** Bytes of the content. */
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
  /** Bytes of the whole file, even if only a range of it was opened. */
  size: number
  /**
   * The bytes that were asked for. Fails rather than end early. The caller must read it to its end
   * or destroy it.
   */
  content: Readable
}

export interface ListedFile {
  key: string
  size: number
  changedAt: Date
}

export interface PresignOptions {
  /** Seconds for which the URL works. */
  seconds: number
  /** Headers of the object store's response. */
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
  if (!isKey(key)) throw new Error(`${JSON.stringify(key.slice(0, maxKeyLength))} is no key of a file`)
}

/** Throws if no key can begin with the prefix. */
export function refuseUnlessPrefix(prefix: string): void {
  if (prefix !== '' && !isKey(prefix.replace(/\/$/, '')))
    throw new Error(`${JSON.stringify(prefix.slice(0, maxKeyLength))} is no prefix of keys`)
}

/** Returns whether the name of a file on a disk or in a bucket is a key. */
export function isKey(key: string): boolean {
  return key.length <= maxKeyLength && keyPattern.test(key)
}
