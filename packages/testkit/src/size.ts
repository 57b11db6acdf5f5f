/** The two sizes of a test: in the gate, which every change passes, and in the long lane (`.ci/long`). */
export interface Sizes<Value> {
  gate: Value
  long: Value
}

/** Chooses the size for the lane that runs. No other code reads the variable of the lane. */
export function bySize<Value>(sizes: Sizes<Value>): Value {
  return process.env.OXBOW_LONG === '1' ? sizes.long : sizes.gate
}

/** Returns `count` random items in the gate, others in every run; all of them in the long lane. */
export function sampleInGate<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (bySize({ gate: false, long: true }) || items.length <= count) return items
  return items.toSorted(() => Math.random() - 0.5).slice(0, count)
}
