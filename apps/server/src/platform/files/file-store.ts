import type { Readable } from 'node:stream'

/**
 * Stores files by key until they are removed. A key is a path of plain names, like
 * `avatars/1/7/2.png`. A key always has the complete content of the last `put`, or none.
 */
export interface FileStore {
  /** Stores the bytes. Resolves once they would survive a crash of the machine. */
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<StoredFile | undefined>
  /** Removes the file if it exists. */
  remove(key: string): Promise<void>
  /** Removes leftovers of interrupted puts. */
  tidy(): Promise<void>
}

export interface StoredFile {
  size: number
  /** The caller must read it to its end or destroy it. */
  content: Readable
}

const maxKeyLength = 400

/**
 * Throws if the key could be a path outside the store. Keys are built from ids, so that would be a
 * bug.
 */
export function refuseUnlessKey(key: string): void {
  const isKey = key.length <= maxKeyLength && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)
  if (!isKey) throw new Error(`${JSON.stringify(key.slice(0, maxKeyLength))} is no key of a file`)
}
