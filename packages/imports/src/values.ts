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

/** Removes U+0000 and repairs half surrogate pairs, which the database cannot store. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
