/**
 * Readers of untrusted JSON. Each returns a value of the expected type, whatever was in the archive. Fields
 * are read only if they are the object's own, so that `__proto__` and `constructor` are ordinary names.
 */
type Json = { readonly [name: string]: unknown }

const toObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export const field = (value: unknown, name: string): unknown => {
  const object = toObject(value)
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Returns the text of a field without characters that cannot be stored; empty if it is no text. */
export const textOf = (value: unknown, name: string): string => {
  const found = field(value, name)
  return typeof found === 'string' ? storable(found) : ''
}

/** Returns a text or a number as text: ids and times appear as both. */
export const idOf = (value: unknown, name: string): string => {
  const found = field(value, name)
  return typeof found === 'number' && Number.isFinite(found) ? String(found) : textOf(value, name)
}

export const listOf = (value: unknown, name: string): readonly unknown[] => {
  const found = field(value, name)
  return Array.isArray(found) ? found : []
}

export const textsOf = (value: unknown, name: string): string[] =>
  listOf(value, name).flatMap((item) => (typeof item === 'string' && item !== '' ? [storable(item)] : []))

export const isTrue = (value: unknown, name: string): boolean => field(value, name) === true

/** Removes U+0000 and repairs half surrogate pairs, which the database cannot store. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
