import { setImmediate } from 'node:timers/promises'

/** How long items are mapped before other work of the node gets a turn, in milliseconds. */
const maxSliceMs = 10

/**
 * Maps items in order, and yields to the event loop in between. Use it where one item may take a
 * millisecond and there may be thousands.
 */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let until = performance.now() + maxSliceMs
  for (const item of items) {
    if (performance.now() > until) {
      await setImmediate()
      until = performance.now() + maxSliceMs
    }
    results.push(map(item))
  }
  return results
}
