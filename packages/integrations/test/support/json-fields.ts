/** A value in a payload that can be replaced and restored. */
export interface JsonField {
  /** The path of the value, like `alerts[0].labels.job`. */
  path: string
  holder: Record<string | number, unknown>
  key: string | number
  /** The field of the parent; undefined if the parent is the payload itself. */
  outer: JsonField | undefined
}

/** Returns the values of an object, or the first two values of a list. */
export function childrenOf(value: unknown, outer?: JsonField): JsonField[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string | number, unknown>
  const keys = Array.isArray(value) ? [...value.keys()].slice(0, 2) : Object.keys(value)
  return keys.map((key) => ({ path: pathOf(key, outer), holder, key, outer }))
}

function pathOf(key: string | number, outer: JsonField | undefined): string {
  if (typeof key === 'number') return `${outer?.path ?? ''}[${key}]`
  return outer ? `${outer.path}.${key}` : key
}

/** Returns the values at any depth, but only the first two of each list. */
export function fieldsIn(value: unknown, outer?: JsonField): JsonField[] {
  return childrenOf(value, outer).flatMap((field) => [field, ...fieldsIn(field.holder[field.key], field)])
}

/** Given to `withValue` to remove the field instead of replacing its value. */
export const removed = Symbol('removed')

/** Replaces the value while `run` is called, and restores it afterwards. */
export function withValue<Result>(field: JsonField, value: unknown, run: () => Result): Result {
  const { holder, key, outer } = field
  if (value === removed && outer) return withValue(outer, without(holder, key), run)
  const before = holder[key]
  holder[key] = value === removed ? undefined : value
  try {
    return run()
  } finally {
    holder[key] = before
  }
}

function without(holder: JsonField['holder'], key: string | number): unknown {
  if (Array.isArray(holder)) return holder.toSpliced(Number(key), 1)
  const { [key]: _, ...rest } = holder
  return rest
}

/** Collects all texts in a payload, which a message may repeat. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value)
  return inside.length === 0
    ? [JSON.stringify(value)]
    : inside.flatMap(([key, child]) => [key, ...textsIn(child)])
}
