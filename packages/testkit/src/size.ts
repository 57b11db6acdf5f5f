import { Dice, testSeed } from './seed.ts'

/**
 * The two sizes of a test: in the gate, which every change has to pass, and in the long lane
 * (`.ci/long`).
 */
export interface Sizes<Value> {
  gate: Value
  long: Value
}

/** Returns the size for the lane that is running. No other code reads the lane's environment variable. */
export function bySize<Value>(sizes: Sizes<Value>): Value {
  return process.env.OXBOW_LONG === '1' ? sizes.long : sizes.gate
}

/**
 * Returns `count` random items in the gate, which differ between runs, and all items in the long
 * lane. The same seed chooses the same items.
 */
export function sampleInGate<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (bySize({ gate: false, long: true }) || items.length <= count) return items
  const dice = new Dice(testSeed)
  const ranked = items.map((item) => ({ item, rank: dice.roll() }))
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ item }) => item)
}

/**
 * Returns whether a test tries the case with these indexes in its matrix. The gate tries every second case, like
 * the squares of one colour of a chessboard, and the seed chooses the colour. The long lane tries all cases.
 */
export function isTried(...indexes: number[]): boolean {
  const sum = indexes.reduce((total, index) => total + index, testSeed)
  return bySize({ gate: sum % 2 === 0, long: true })
}
