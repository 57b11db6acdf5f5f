import type { Readable } from 'node:stream'

/**
 * Bytes under names, for as long as they are not removed. A key is a path of plain names, like `avatars/1/7/2.png`; what
 * is under a key is all of what was put there last, or nothing.
 */
export interface FileStore {
  /** Returns once it would outlast the machine's failure. */
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<StoredFile | undefined>
  /** Nothing is there afterwards, whether something was or not. */
  remove(key: string): Promise<void>
  /** What was begun long ago and never ended goes. */
  tidy(): Promise<void>
}

export interface StoredFile {
  size: number
  /** Whoever gets it reads it to its end or destroys it. */
  content: Readable
}

const longest = 400

/** Keys are made by us, of ids: one that is none of these is a mistake of ours, and must not become a path. */
export function refuseUnlessKey(key: string): void {
  const isKey = key.length <= longest && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)
  if (!isKey) throw new Error(`${JSON.stringify(key.slice(0, longest))} is no key of a file`)
}
