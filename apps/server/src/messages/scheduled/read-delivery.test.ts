import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTime } from './read-delivery.ts'

// In Berlin this is already the next day.
const now = new Date('2026-03-14T23:30:00Z')

const cases: [written: string, zone: string, answer: string | undefined, at?: string][] = [
  ['2026-03-20 10:00', 'UTC', '2026-03-20 10:00:00+00:00', '2026-03-20T10:00:00.000Z'],
  ['2026-03-20 10:00', 'Europe/Berlin', '2026-03-20 10:00:00+01:00', '2026-03-20T09:00:00.000Z'],
  ['2026-07-20 10:00', 'Europe/Berlin', '2026-07-20 10:00:00+02:00', '2026-07-20T08:00:00.000Z'],
  ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29 03:30:00+02:00', '2026-03-29T01:30:00.000Z'],
  ['2026-03-20T10:00Z', 'Europe/Berlin', '2026-03-20 10:00:00+00:00', '2026-03-20T10:00:00.000Z'],
  ['2026-03-20T10:00-03:30', 'Europe/Berlin', '2026-03-20 10:00:00-03:30', '2026-03-20T13:30:00.000Z'],
  ['2026-03-20 10:00:00.25', 'UTC', '2026-03-20 10:00:00.250000+00:00', '2026-03-20T10:00:00.250Z'],
  ['1774000000', 'Asia/Kolkata', '2026-03-20 09:46:40+00:00', '2026-03-20T09:46:40.000Z'],
  ['8 PM', 'Europe/Berlin', '2026-03-15 20:00:00+01:00', '2026-03-15T19:00:00.000Z'],
  ['8 PM', 'America/New_York', '2026-03-14 20:00:00-04:00', '2026-03-15T00:00:00.000Z'],
  ['tomorrow', 'UTC', undefined],
  ['', 'UTC', undefined],
]

for (const [written, zone, expected, at] of cases) {
  test(`readTime parses '${written}' in ${zone} as ${expected ?? 'invalid'}`, () => {
    const read = readTime(written, zone, now)
    assert.deepEqual([read?.deliver_at, read?.at.toISOString()], [expected, at])
  })
}
