/** A conversation in a list that is ordered by newest messages. */
interface Ordered {
  readonly key: string
  /** Id of the newest message. */
  readonly newest: number
}

/** The order of a list at the moment when it was frozen. */
export interface KeptOrder {
  readonly keys: readonly string[]
  /** Id of the newest message of all its conversations. */
  readonly newest: number
}

export const readOrder = (items: readonly Ordered[]): KeptOrder => ({
  keys: items.map(({ key }) => key),
  newest: items.reduce((newest, item) => Math.max(newest, item.newest), 0),
})

/**
 * Returns the conversations in the frozen order, and how many have received newer messages since.
 * Conversations that began later are omitted; older ones that were loaded later are added at the
 * end.
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
