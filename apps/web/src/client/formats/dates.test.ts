import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accountState } from '../store.ts'
import { formatDay, formatMoment, formatShortDateTime } from './dates.ts'

after(() => {
  accountState.value = undefined
})

const cases = [
  ['2026-11-16T09:05', 'Today', '09:05', 'Mon, Nov 16, 09:05'],
  ['2026-11-15T23:55', 'Yesterday', 'Sun', 'Sun, Nov 15, 23:55'],
  ['2026-11-12T09:05', 'Thursday', 'Thu', 'Thu, Nov 12, 09:05'],
  ['2026-02-01T09:05', 'Sunday, February 1', 'Feb 1', 'Sun, Feb 1, 09:05'],
  ['2025-11-16T09:05', 'Sunday, November 16, 2025', 'Nov 16, 2025', 'Sun, Nov 16, 2025, 09:05'],
  ['2027-12-31T09:05', 'Friday, December 31, 2027', 'Dec 31, 2027', 'Fri, Dec 31, 2027, 09:05'],
] as const

test('days and times are formatted relative to the current day, with the year if it is another one', (t) => {
  t.mock.method(Date, 'now', () => Date.parse('2026-11-16T00:30:00+09:00'))
  accountState.value = { timezone: 'Asia/Tokyo', twenty_four_hour_time: true } as never
  for (const [local, day, moment, short] of cases) {
    const time = Date.parse(`${local}+09:00`)
    assert.deepEqual([formatDay(time), formatMoment(time), formatShortDateTime(time)], [day, moment, short])
  }
})
