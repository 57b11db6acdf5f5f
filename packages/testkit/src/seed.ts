const given = process.env.OXBOW_TEST_SEED

/**
 * Seed of random choices in tests. It differs between test processes, and the runner prints it with each failure.
 * `OXBOW_TEST_SEED` repeats the choices of a failed run.
 */
export const testSeed = Number(given ?? Math.trunc(Math.random() * 2 ** 31))

/** Options of fast-check for slow models: a shorter example of a failure is searched only if the seed was given. */
export const modelOptions = given ? { seed: testSeed } : { seed: testSeed, endOnFailure: true }

/** A random number generator that returns the same numbers for the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Returns a number from 0 (included) to 1 (excluded), by mulberry32. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  isLikely(chance: number): boolean {
    return this.roll() < chance
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('there is nothing to pick from')
    return items[Math.floor(this.roll() * items.length)] as Item
  }

  sample<Item>(items: readonly Item[], count: number): Item[] {
    return items.length === 0 ? [] : Array.from({ length: count }, () => this.pick(items))
  }
}
