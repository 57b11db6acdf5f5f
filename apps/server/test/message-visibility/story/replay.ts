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
 * log: then it takes its place where it was possible last.
 */
export function replay(start: Model, steps: readonly Step[]): { states: Model[]; order: Step[] } {
  const order = [...steps]
  const states = [start]
  for (let place = 0; place < order.length; ) {
    const step = order[place] as Step
    const before = states[place] as Model
    if (step.isPossible(before)) {
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
    place = earlier
  }
  return { states, order }
}
