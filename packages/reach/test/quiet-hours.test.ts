import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findQuietEnd, type QuietHours } from '../src/index.ts'

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const minuteMs = 60_000

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Returns the minutes by which a zone is ahead of UTC. */
function getOffset(zone: string, at: number): number {
  const formatter =
    formatters.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formatters.set(zone, formatter)
  const parts = formatter.formatToParts(at)
  const [, sign, hours = '0', minutes = '0'] =
    /([+-])(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Converts local times by trying all offsets of the zone around them, the standard one first. */
const clockOf = (zone: string) => (local: Date) => {
  const offsets = [-1, 1]
    .map((days) => getOffset(zone, local.getTime() + days * 86_400_000))
    .sort((a, b) => a - b)
  const instants = offsets.map((offset) => local.getTime() - offset * minuteMs)
  const shown = instants.find((at) => at + getOffset(zone, at) * minuteMs === local.getTime())
  return new Date(shown ?? (instants[0] as number))
}

const quietEnd = (hours: QuietHours, at: string, zone: string) => {
  const end = findQuietEnd(hours, Date.parse(at), clockOf(zone))
  return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16)
}
const nights = { periods: [{ days: everyDay, from: 22 * 60, to: 8 * 60 }] }

test('a period across midnight is quiet until the next morning of the zone', () => {
  for (const [zone, at, end] of [
    ['Europe/Berlin', '2026-01-15T21:00Z', '2026-01-16T07:00'],
    ['Europe/Berlin', '2026-07-15T22:00Z', '2026-07-16T06:00'],
    ['Asia/Kolkata', '2026-01-15T16:30Z', '2026-01-16T02:30'],
    ['Asia/Kathmandu', '2026-01-15T16:15Z', '2026-01-16T02:15'],
    ['Pacific/Auckland', '2026-01-15T09:00Z', '2026-01-15T19:00'],
  ] as const)
    assert.equal(quietEnd(nights, at, zone), end, zone)
  assert.equal(quietEnd(nights, '2026-01-15T20:59Z', 'Europe/Berlin'), undefined)
  assert.equal(quietEnd(nights, '2026-01-16T07:00Z', 'Europe/Berlin'), undefined)
})

test('a night with a clock change is an hour shorter or longer', () => {
  assert.equal(quietEnd(nights, '2026-03-28T21:00Z', 'Europe/Berlin'), '2026-03-29T06:00')
  assert.equal(quietEnd(nights, '2026-10-24T20:00Z', 'Europe/Berlin'), '2026-10-25T07:00')
})

test('an hour that clocks skip or repeat belongs to the period that contains its standard time', () => {
  const early = { periods: [{ days: everyDay, from: 0, to: 2 * 60 + 30 }] }
  // Clocks skip from 2:00 to 3:00, so 2:30 is 3:30 of summer time.
  assert.equal(quietEnd(early, '2026-03-29T00:00Z', 'Europe/Berlin'), '2026-03-29T01:30')
  // Clocks show 2:30 twice; the second time is standard time.
  assert.equal(quietEnd(early, '2026-10-25T00:45Z', 'Europe/Berlin'), '2026-10-25T01:30')
})

test('periods that follow each other are one, days are those on which a period begins, and a pause counts', () => {
  const weekend = {
    periods: [
      { days: [5], from: 18 * 60, to: 0 },
      { days: [6, 0], from: 0, to: 0 },
    ],
  }
  assert.equal(quietEnd(weekend, '2026-11-20T19:00Z', 'UTC'), '2026-11-23T00:00')
  assert.equal(quietEnd(weekend, '2026-11-19T19:00Z', 'UTC'), undefined)
  const pausedUntil = Date.parse('2026-11-19T21:00Z')
  assert.equal(quietEnd({ ...weekend, pausedUntil }, '2026-11-19T19:00Z', 'UTC'), '2026-11-19T21:00')
  assert.equal(quietEnd({ ...weekend, pausedUntil }, '2026-11-19T21:00Z', 'UTC'), undefined)
})

test('without an end, quiet is followed for a limited time', () => {
  const always = { periods: [{ days: everyDay, from: 0, to: 0 }] }
  const end = findQuietEnd(always, Date.parse('2026-11-20T12:00Z'), clockOf('UTC')) as number
  assert.ok(end > Date.parse('2026-11-27') && end < Date.parse('2027-01-01'))
})

test('the quiet of every minute agrees with the clocks, in days without and with a clock change', () => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu']
  const hours = { periods: [{ days: everyDay, from: 21 * 60 + 45, to: 6 * 60 + 15 }] }
  for (const zone of zones) {
    for (const day of ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01']) {
      for (let minutes = 0; minutes < 1_440; minutes += 35) {
        const at = Date.parse(day) + minutes * minuteMs
        const local = new Date(at + getOffset(zone, at) * minuteMs)
        const minuteOfDay = local.getUTCHours() * 60 + local.getUTCMinutes()
        const isNight = minuteOfDay >= 21 * 60 + 45 || minuteOfDay < 6 * 60 + 15
        const isQuiet = findQuietEnd(hours, at, clockOf(zone)) !== undefined
        assert.equal(isQuiet, isNight, `${new Date(at).toISOString()} in ${zone}`)
      }
    }
  }
})
