const codes: Record<string, string> = {
  ENOSPC: 'the disk that keeps uploads is full',
  EDQUOT: 'the quota of the disk that keeps uploads is used up',
  EROFS: 'the disk that keeps uploads is read-only',
}

/**
 * Thrown if the object store cannot be reached or refuses a request. Clients get a response with status 503.
 * The outcome of a `put` that fails this way may be unknown: the key has either the new or the previous
 * content, never a part of it.
 */
export class StorageUnavailable extends Error {
  /** Logged for operators. All errors of one outage have the same reason. Contains no secrets. */
  readonly reason: string
  /** The object store's own code, such as `NoSuchBucket`; undefined if there was no response. */
  readonly code: string | undefined

  constructor(reason: string, options: { code?: string | undefined; cause?: unknown } = {}) {
    super(reason, { cause: options.cause })
    this.name = 'StorageUnavailable'
    this.reason = reason
    this.code = options.code
  }
}

/**
 * Returns why a file could not be stored or read if its disk is full or read-only, or the object
 * store is unavailable; undefined for other errors.
 */
export function explainStorageRefusal(error: unknown): string | undefined {
  if (error instanceof StorageUnavailable) return error.reason
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  return codes[code]
}
