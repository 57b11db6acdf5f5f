/** More than the maximum size of a message, so that `fitContent` marks the truncation. */
const maxCharacters = 12_000
const maxDepth = 100

/**
 * Formats like `JSON.stringify(value, null, 2)`, but stops soon after the maximum size of a
 * message, however large or deep the value is.
 */
export function prettyJson(value: unknown): string {
  return write(value, '  ')
}

/** Formats a value as JSON on one line. */
export function shortJson(value: unknown): string {
  return write(value, '')
}

function write(value: unknown, step: string): string {
  let written = ''

  function add(value: unknown, depth: number): void {
    if (written.length > maxCharacters) return
    if (typeof value === 'string') written += JSON.stringify(value.slice(0, maxCharacters))
    else if (typeof value !== 'object' || value === null) written += JSON.stringify(value) ?? 'null'
    else if (depth >= maxDepth) written += '…'
    else if (Array.isArray(value))
      addAll('[]', value, depth, (item) => {
        add(item, depth + 1)
      })
    else
      addAll('{}', Object.keys(value), depth, (key) => {
        written += `${JSON.stringify(key)}:${step && ' '}`
        add((value as Record<string, unknown>)[key], depth + 1)
      })
  }

  function addAll<Item>(brackets: string, items: Item[], depth: number, addOne: (item: Item) => void): void {
    const indent = (level: number) => (step ? `\n${step.repeat(level)}` : '')
    written += brackets[0]
    for (const [index, item] of items.entries()) {
      if (written.length > maxCharacters) return
      written += (index === 0 ? '' : ',') + indent(depth + 1)
      addOne(item)
    }
    written += (items.length === 0 ? '' : indent(depth)) + brackets[1]
  }

  add(value, 0)
  return written
}
