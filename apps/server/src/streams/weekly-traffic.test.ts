import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weeklyTraffic } from './weekly-traffic.ts'

const now = Date.UTC(2026, 5, 30)
const born = (days: number) => new Date(now - days * 86_400_000)

// [age in days, messages of the last 28 days, expected result]
const cases: [number, number, number | null][] = [
  [0, 50, null],
  [6.9, 50, null],
  [7, 0, 0],
  [7, 50, 50],
  [14, 50, 25],
  [27, 10, 2],
  [27, 3, 1],
  [28, 3, 1],
  [28, 40, 10],
  [400, 396, 99],
  [400, 420, 100],
  [400, 460, 120],
  [400, 464, 120],
  [400, 500, 120],
  [400, 3_980, 1_000],
  [400, 4_200, 1_000],
  [400, 5_000, 1_200],
]

for (const [age, messages, shown] of cases) {
  test(`${messages} messages in a stream of ${age} days are shown as ${shown} per week`, () => {
    assert.equal(weeklyTraffic(messages, born(age), now), shown)
  })
}
