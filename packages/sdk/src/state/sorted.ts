/** Where the first one stands that is not before the place looked for, in a list in which those come first. */
export function placeIn<Item>(list: readonly Item[], isBefore: (item: Item) => boolean, from = 0): number {
  let [low, high] = [from, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(list[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}
