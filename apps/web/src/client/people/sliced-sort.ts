import { signal } from '@preact/signals'

/** Maximum time that sorting may take between two frames, unless a single step takes longer. */
const sliceMs = 8
/** Number of items that are sorted in one step, or merged between two steps. */
const stepItems = 4_096

/** Sorts a copy of a list in steps of some milliseconds. Returns the sorted list after the last step. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<void, readonly Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += stepItems) {
    if (start > 0) yield
    runs.push(items.slice(start, start + stepItems).sort(compare))
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergeInSteps(runs[index] ?? [], runs[index + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

/** Merges two sorted lists. Equal items of the first list come first. */
function* mergeInSteps<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<void, Item[]> {
  const merged: Item[] = []
  let index = 0
  for (const item of other) {
    while (index < one.length && compare(one[index] as Item, item) <= 0) {
      merged.push(one[index++] as Item)
      if (merged.length % stepItems === 0) yield
    }
    merged.push(item)
    if (merged.length % stepItems === 0) yield
  }
  return merged.concat(one.slice(index))
}

/** Keeps a long list sorted without blocking the page. A list that changes meanwhile is sorted next. */
export class SlicedSort<Item> {
  readonly #compare: (one: Item, other: Item) => number
  /** Increases when a list has been sorted between frames. */
  readonly #version = signal(0)
  #sorted: readonly Item[] = []
  /** The list that `#sorted` is the order of. */
  #source: readonly Item[] | undefined
  #isSorting = false

  constructor(compare: (one: Item, other: Item) => number) {
    this.#compare = compare
  }

  /**
   * Returns the sorted list; until it is known, the list sorted before, which is empty at first. A
   * short list is sorted at once. Reads signals.
   */
  sort(items: readonly Item[]): { sorted: readonly Item[]; isCurrent: boolean } {
    this.#version.value
    if (items !== this.#source && !this.#isSorting)
      this.#isSorting = !this.#continue(items, sortInSteps(items, this.#compare))
    return { sorted: this.#sorted, isCurrent: items === this.#source }
  }

  /** Sorts for one slice, and plans the next. Returns whether the list is sorted. */
  #continue(items: readonly Item[], steps: Generator<void, readonly Item[]>): boolean {
    const end = performance.now() + sliceMs
    do {
      const step = steps.next()
      if (step.done) {
        this.#sorted = step.value
        this.#source = items
        return true
      }
    } while (performance.now() < end)
    setTimeout(() => {
      if (!this.#continue(items, steps)) return
      this.#isSorting = false
      this.#version.value++
    })
    return false
  }
}
