import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { computed, effect, signal } from '@preact/signals'
import { SlicedSort, sortInSteps } from './sliced-sort.ts'

interface Named {
  readonly name: string
  readonly id: number
}

/** Names in no order, each several times. */
const listNames = (count: number): Named[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: `name ${(id * 7_919) % Math.ceil(count / 3)}` }))
const compare = (one: Named, other: Named) => one.name.localeCompare(other.name)

test('a list sorted in steps has the order of a stable sort', () => {
  for (const count of [0, 1, 4_096, 4_097, 13_000]) {
    const names = listNames(count)
    const steps = sortInSteps(names, compare)
    let step = steps.next()
    let pauses = 0
    for (; !step.done; step = steps.next()) pauses++
    assert.deepEqual(step.value, names.toSorted(compare), `${count}`)
    assert.ok(pauses >= Math.floor(count / 4_097), `${pauses} pauses`)
  }
})

test('no step compares more often than the sorting of a few thousand items does', () => {
  let comparisons = 0
  const steps = sortInSteps(listNames(13_000), (one, other) => {
    comparisons++
    return compare(one, other)
  })
  let most = 0
  for (let step = steps.next(); !step.done; step = steps.next()) {
    most = Math.max(most, comparisons)
    comparisons = 0
  }
  assert.ok(most <= 4_096 * 12, `${most} comparisons`)
})

test('a short list is sorted at once, and a long one soon, with the changes made meanwhile', async () => {
  const list = signal<readonly Named[]>(listNames(100))
  const sort = new SlicedSort(compare)
  const sorted = computed(() => sort.sort(list.value))
  const stop = effect(() => void sorted.value)
  assert.deepEqual(sorted.peek(), { sorted: list.peek().toSorted(compare), isCurrent: true })
  const short = sorted.peek().sorted
  list.value = listNames(20_000)
  assert.deepEqual(sorted.peek(), { sorted: short, isCurrent: false })
  list.value = [...list.peek(), { id: -1, name: 'a' }]
  while (!sorted.peek().isCurrent) await setTimeout(1)
  assert.deepEqual(sorted.peek().sorted, list.peek().toSorted(compare))
  stop()
})
