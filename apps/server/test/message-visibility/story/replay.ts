import assert from 'node:assert/strict'
import type { Model } from '../model/model.ts'

export interface Step {
  label: string
  isPossible(model: Model): boolean
  /** As in `Effect.mayBeLate`. */
  mayBeLate: boolean
  apply(model: Model): void
}

/**
 * Applies steps in order, and returns all states from the first to the last. A step with
 * `mayBeLate` may be slightly late in the log: it is moved back to the last state in which it was
 * possible.
 */
export function replay(start: Model, steps: readonly Step[], journal: string[]): Model[] {
  const order = [...steps]
  const states = [start]
  const beginning = journal.length
  for (let index = 0; index < order.length; ) {
    const step = order[index] as Step
    const before = states[index] as Model
    if (step.isPossible(before)) {
      journal.push(step.label)
      const after = structuredClone(before)
      step.apply(after)
      states.push(after)
      index++
      continue
    }
    const earlier = states.findLastIndex((state) => step.isPossible(state))
    assert.ok(step.mayBeLate && earlier >= 0, `${step.label} was done, and was not possible`)
    order.splice(index, 1)
    order.splice(earlier, 0, step)
    states.length = earlier + 1
    journal.length = beginning + earlier
    index = earlier
  }
  return states
}
