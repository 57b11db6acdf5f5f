/** A conversation in a list that is ordered by newest messages. */
interface Ordered {
  readonly key: string
  /** Id of the newest message. */
  readonly newest: number
}

/** The order of a list at the moment from which on it is kept. */
export interface KeptOrder {
  readonly keys: readonly string[]
  /** The newest message of all its conversations. */
  readonly newest: number
}

export const readOrder = (items: readonly Ordered[]): KeptOrder => ({
  keys: items.map(({ key }) => key),
  newest: items.reduce((newest, item) => Math.max(newest, item.newest), 0),
})

/**
 * Returns the conversations in the order in which they were, and how many have newer messages than
 * then. Conversations that begin later are left out; older ones that are loaded later are added at
 * the end.
 */
export function keepOrder<Item extends Ordered>(
  items: readonly Item[],
  kept: KeptOrder,
): { items: Item[]; movedCount: number } {
  const byKey = new Map(items.map((item) => [item.key, item]))
  const before = new Set(kept.keys)
  return {
    items: [
      ...kept.keys.flatMap((key) => byKey.get(key) ?? []),
      ...items.filter(({ key, newest }) => !before.has(key) && newest <= kept.newest),
    ],
    movedCount: items.filter(({ newest }) => newest > kept.newest).length,
  }
}
