/**
 * Returns the index of the first item for which `isBefore` is false, by binary search. All items
 * for which it is true must come first.
 */
export function findInsertIndex<Item>(
  list: readonly Item[],
  isBefore: (item: Item) => boolean,
  from = 0,
): number {
  let [low, high] = [from, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(list[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}
