/** The length of a request in bytes, a little less than what a node accepts. */
export const requestBytes = 950_000

/** Returns as many items as fit into a request. `size` is the length of an item in JSON. */
export function fill<Item>(make: (index: number) => Item, count = Number.POSITIVE_INFINITY): Item[] {
  const items: Item[] = []
  let bytes = 0
  while (items.length < count) {
    const item = make(items.length)
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes > requestBytes) return items
    items.push(item)
  }
  return items
}

/** Repeats a text up to a length in bytes. */
export const repeat = (text: string, bytes: number): string =>
  text.repeat(Math.floor(bytes / Buffer.byteLength(text)))

/** A formula that takes KaTeX long for its length. */
export const formula = '$$\\frac{\\frac{a}{b}}{\\frac{c}{d}}$$ '
