const codes: Record<string, string> = {
  ENOSPC: 'the disk that keeps uploads is full',
  EDQUOT: 'the quota of the disk that keeps uploads is used up',
  EROFS: 'the disk that keeps uploads is read-only',
}

/**
 * Returns why a file could not be written if its disk is full or read-only; undefined for other
 * errors.
 */
export function explainStorageRefusal(error: unknown): string | undefined {
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  return codes[code]
}
