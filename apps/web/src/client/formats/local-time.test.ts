import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { timeMark } from '../../composer/insertions.ts'
import { accountState } from '../store.ts'
import { addDays, dayOf, localTimeOf, startOfDay, timeAt } from './local-time.ts'

const setZone = (timezone: string): void => {
  accountState.value = { timezone } as never
}
afterEach(() => {
  accountState.value = undefined
})

const skippedOrRepeated = [
  // Clocks are set forward from 02:00 to 03:00.
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59Z'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30Z'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00Z'],
  ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59Z'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30Z'],
  ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00Z'],
  // Clocks are set back by an hour.
  ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59Z'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z'],
  ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30Z'],
  ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00Z'],
  // Clocks are set forward and back by half an hour.
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45Z'],
  ['Australia/Lord_Howe', '2026-10-04T02:30', '2026-10-03T15:30Z'],
  ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45Z'],
  ['Australia/Lord_Howe', '2026-04-05T02:00', '2026-04-04T15:30Z'],
  // Samoa skipped 30 December 2011.
  ['Pacific/Apia', '2011-12-29T23:00', '2011-12-30T09:00Z'],
  ['Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00Z'],
  ['Asia/Tokyo', '2026-11-16T09:00', '2026-11-16T00:00Z'],
  ['Asia/Kathmandu', '2026-11-16T09:00', '2026-11-16T03:15Z'],
] as const

test('timeAt returns when clocks of the zone show a time, also near clock changes', () => {
  for (const [zone, local, expected] of skippedOrRepeated) {
    setZone(zone)
    assert.equal(timeAt(local), Date.parse(expected), `${local} in ${zone}`)
  }
})

test('timeAt inverts localTimeOf, except in an hour that is repeated', () => {
  for (const zone of [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Santiago',
    'UTC',
  ]) {
    setZone(zone)
    for (let hour = 0; hour < 366 * 24; hour += 11) {
      const time = Date.UTC(2026, 0, 1, hour)
      const found = timeAt(localTimeOf(time))
      assert.equal(localTimeOf(found), localTimeOf(time))
      assert.ok(found === time || (found < time && found >= time - 3_600_000), `${zone} ${hour}`)
    }
  }
})

test('timeAt returns NaN for a text that is no time, and accepts a year that is being typed', () => {
  setZone('Asia/Tokyo')
  for (const text of ['', 'tomorrow', '2026-02-31T25:00', '12026-01-01T10:00', '275760-09-13T00:00'])
    assert.ok(Number.isNaN(timeAt(text)), text)
  assert.ok(timeAt('0002-01-01T10:00') < 0)
  assert.ok(timeAt('9999-12-31T23:59') > 0)
})

test('startOfDay returns the first time of a day, also where clocks change at midnight', () => {
  for (const [zone, day] of [
    ['America/Santiago', '2026-09-06'],
    ['America/Havana', '2026-11-01'],
    ['Africa/Cairo', '2026-04-24'],
    ['Asia/Tokyo', '2026-11-16'],
    ['Australia/Lord_Howe', '2026-10-04'],
  ] as const) {
    setZone(zone)
    const start = startOfDay(day)
    assert.deepEqual([dayOf(start - 1), dayOf(start)], [addDays(day, -1), day], zone)
  }
})

test('a time in a message has the offset of the zone of the account at that time', () => {
  setZone('America/New_York')
  assert.equal(timeMark(new Date('2026-07-01T12:00:00Z')), '<time:2026-07-01T08:00:00-04:00> ')
  assert.equal(timeMark(new Date('2026-12-01T12:00:00Z')), '<time:2026-12-01T07:00:00-05:00> ')
  setZone('Asia/Kathmandu')
  assert.equal(timeMark(new Date('2026-12-01T12:00:00.500Z')), '<time:2026-12-01T17:45:00+05:45> ')
})
