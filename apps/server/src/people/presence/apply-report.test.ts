import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PresenceStatus } from '@oxbow/contract'
import { applyReport, type Times } from './apply-report.ts'

const now = new Date('2024-05-01T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const active = (seconds: number): Times => ({ active_at: ago(seconds), idle_at: ago(seconds + 500) })
const idle = (seconds: number): Times => ({ active_at: ago(seconds + 500), idle_at: ago(seconds) })

type Case = [
  name: string,
  stored: Times | undefined,
  status: PresenceStatus,
  outcome: 'news' | 'kept' | 'ignored',
]

const cases: Case[] = [
  ['the first report, active', undefined, 'active', 'news'],
  ['the first report, idle', undefined, 'idle', 'news'],
  ['active again', active(60), 'active', 'kept'],
  ['active again, just in time', active(70), 'active', 'kept'],
  ['active again, too late', active(71), 'active', 'news'],
  ['idle after being active a moment ago', active(70), 'idle', 'ignored'],
  ['idle after being active a while ago', active(71), 'idle', 'kept'],
  ['idle again', idle(10), 'idle', 'kept'],
  ['idle again after long', idle(500), 'idle', 'kept'],
  ['active after being idle', idle(1), 'active', 'news'],
  ['active after being idle long ago', idle(500), 'active', 'news'],
  ['active by a clock that is behind', active(-5), 'active', 'kept'],
]

for (const [name, stored, status, outcome] of cases) {
  test(`a presence report (${name}) has the outcome "${outcome}"`, () => {
    const judged = applyReport(stored, status, now)

    assert.equal(judged ? (judged.isNews ? 'news' : 'kept') : 'ignored', outcome)
  })
}

test('a presence report changes only the time of the reported status', () => {
  assert.deepEqual(applyReport(idle(3), 'active', now)?.times, { active_at: now, idle_at: ago(3) })
  assert.deepEqual(applyReport(active(90), 'idle', now)?.times, { active_at: ago(90), idle_at: now })
})

test('a presence report never moves a time backwards', () => {
  assert.deepEqual(applyReport(idle(-5), 'active', now)?.times, { active_at: ago(-5), idle_at: ago(-5) })
})
