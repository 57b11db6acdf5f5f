import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getOffsetMinutes, isTimezone, toInstant } from './timezones.ts'

test('isTimezone accepts current and older names of the tz database', () => {
  const names = ['Europe/Berlin', 'America/Argentina/Ushuaia', 'US/Pacific', 'Asia/Calcutta', 'Asia/Kolkata']
  for (const name of [...names, 'Europe/Kiev', 'Europe/Kyiv', 'UTC', 'GMT', 'CET', 'EST5EDT', 'Etc/GMT+5'])
    assert.ok(isTimezone(name), name)
})

test('isTimezone refuses offsets, abbreviations, other spellings and partial names', () => {
  const invalid = ['', 'Berlin', 'Europe', 'Europe/', '/Europe/Berlin', 'Europe/Berlin ', 'Mars/Olympus']
  for (const name of [...invalid, 'europe/berlin', 'EUROPE/BERLIN', '+01:00', 'UTC+1', 'PST', 'IST', 'Z'])
    assert.ok(!isTimezone(name), name)
})

test('getOffsetMinutes follows daylight saving time and zones with offsets of half hours', () => {
  const at = (zone: string, time: string) => getOffsetMinutes(zone, new Date(time))
  assert.equal(at('Europe/Berlin', '2026-01-15T12:00:00Z'), 60)
  assert.equal(at('Europe/Berlin', '2026-07-15T12:00:00Z'), 120)
  assert.equal(at('America/St_Johns', '2026-01-15T12:00:00Z'), -210)
  assert.equal(at('Asia/Kolkata', '2026-01-15T12:00:00Z'), 330)
  assert.equal(at('UTC', '2026-01-15T12:00:00Z'), 0)
})

test('toInstant converts local times, using standard time where clocks are changed', () => {
  const cases: [zone: string, local: string, utc: string][] = [
    ['UTC', '2026-03-01T10:00', '2026-03-01T10:00'],
    ['Europe/Berlin', '2026-01-15T10:00', '2026-01-15T09:00'],
    ['Europe/Berlin', '2026-07-15T10:00', '2026-07-15T08:00'],
    // Clocks skip from 2:00 to 3:00.
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
    // Clocks show 2:00 to 3:00 twice.
    ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T01:30'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30'],
    ['Pacific/Auckland', '2026-01-15T10:00', '2026-01-14T21:00'],
  ]
  for (const [zone, local, utc] of cases)
    assert.equal(
      toInstant(new Date(`${local}:00Z`), zone).toISOString(),
      `${utc}:00.000Z`,
      `${local} in ${zone}`,
    )
})
