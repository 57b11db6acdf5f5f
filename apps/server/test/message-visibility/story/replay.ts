import assert from 'node:assert/strict'
import type { Model } from '../model/model.ts'

export interface Step {
  label: string
  isPossible(model: Model): boolean
  /** See `Effect`. */
  isLoose: boolean
  apply(model: Model): void
}

/**
 * Does what was done, one after the other. What was done without holding what it depends on may be a moment late in the
 * log: then it takes its place where it was possible last. Returns everything that was so, from the start to the end.
 */
export function replay(start: Model, steps: readonly Step[], journal: string[]): Model[] {
  const order = [...steps]
  const states = [start]
  const beginning = journal.length
  for (let place = 0; place < order.length; ) {
    const step = order[place] as Step
    const before = states[place] as Model
    if (step.isPossible(before)) {
      journal.push(step.label)
      const after = structuredClone(before)
      step.apply(after)
      states.push(after)
      place++
      continue
    }
    const earlier = states.findLastIndex((state) => step.isPossible(state))
    assert.ok(step.isLoose && earlier >= 0, `${step.label} was done, and was not possible`)
    order.splice(place, 1)
    order.splice(earlier, 0, step)
    states.length = earlier + 1
    journal.length = beginning + earlier
    place = earlier
  }
  return states
}
