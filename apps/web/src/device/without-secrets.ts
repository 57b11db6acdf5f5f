/** Fields of the state that would let others act as a bot. */
const secretFields = new Set(['api_key', 'token'])

/**
 * Returns a copy of a value without API keys of bots, which must not be stored on the device; the
 * same object if it contains none.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return clean(value)
  const cleaned = value.map(clean)
  return cleaned.every((item, index) => item === value[index]) ? value : cleaned
}

function clean(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  const entries = Object.entries(item)
  const cleaned = entries.map(([name, value]) => [
    name,
    secretFields.has(name) && typeof value === 'string'
      ? ''
      : Array.isArray(value)
        ? withoutSecrets(value)
        : value,
  ])
  return cleaned.every(([, value], index) => value === entries[index]?.[1])
    ? item
    : Object.fromEntries(cleaned)
}
