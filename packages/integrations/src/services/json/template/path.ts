/** A path to a value, relative to the current item or, with `$`, to the whole payload. */
export interface Path {
  readonly fromRoot: boolean
  readonly keys: readonly string[]
  /** The path as it is written in the template. */
  readonly shown: string
}

const wholePath = /^(?:\.|\$|(?:\$\.)?[\p{L}\p{N}_@:-]+)(?:\.[\p{L}\p{N}_@:-]+|\[\d{1,9}\]|\["[^"]+"\])*$/u
const step = /\["([^"]+)"\]|\[(\d+)\]|([\p{L}\p{N}_@:-]+)/gu

/**
 * Parses `title`, `head.author.name`, `items[0]`, `headers["content.type"]`, `.` (the current item)
 * or `$.title` (from the whole payload).
 */
export function parsePath(shown: string): Path | undefined {
  if (!wholePath.test(shown)) return undefined
  const keys = [...shown.matchAll(step)].map(
    ([, quoted, index, name]) => quoted ?? String(index === undefined ? name : Number(index)),
  )
  return { fromRoot: shown.startsWith('$'), keys, shown }
}

/** Finds a value. Reads own properties only, so that `length` and `constructor` are not found. */
export function findValue(path: Path, scope: unknown, root: unknown): unknown {
  let value = path.fromRoot ? root : scope
  for (const key of path.keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
