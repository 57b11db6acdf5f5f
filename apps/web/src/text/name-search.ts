import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Match, NameIndex, type TierOf } from './name-index.ts'

/** Maximum time for indexing names between two frames. */
const sliceMs = 8

/**
 * Finds items of a list by name. The index is built in slices after its first use, so that frames are
 * not delayed. Until it is complete, only some of the names are found.
 */
export class NameSearch<Item> {
  readonly #index: ReadonlySignal<NameIndex<Item>>
  /** Increases with every indexed slice of names, so that readers search again. */
  readonly #slices = signal(0)
  #isPlanned = false

  constructor(list: () => Iterable<Item>, nameOf: (item: Item) => string) {
    this.#index = computed(() => new NameIndex(list(), nameOf))
  }

  /** Returns the best matches, as `NameIndex` does. Reads signals. */
  find(query: string, max: number, tierOf?: TierOf<Item>): Match<Item>[] {
    return this.#read().find(query, max, tierOf)
  }

  /** Returns all matches, in the order of the items. Reads signals. */
  filter(query: string): Item[] {
    return this.#read().filter(query)
  }

  /** Whether all names are searched. Reads signals. */
  get isComplete(): boolean {
    this.#slices.value
    return this.#index.value.isReady
  }

  /** Starts to build the index; call it when a search field is about to be used. */
  prepare(): void {
    if (!this.#index.peek().isReady) this.#continue()
  }

  #read(): NameIndex<Item> {
    this.#slices.value
    const index = this.#index.value
    index.prepare(sliceMs)
    if (!index.isReady) this.#continue()
    return index
  }

  #continue(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setTimeout(() => {
      this.#isPlanned = false
      this.#index.peek().prepare(sliceMs)
      this.#slices.value++
      this.prepare()
    })
  }
}
