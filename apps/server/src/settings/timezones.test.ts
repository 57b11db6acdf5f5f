import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimezone } from './timezones.ts'

test('isTimezone accepts current and older names of the tz database', () => {
  const names = ['Europe/Berlin', 'America/Argentina/Ushuaia', 'US/Pacific', 'Asia/Calcutta', 'Asia/Kolkata']
  for (const name of [...names, 'Europe/Kiev', 'Europe/Kyiv', 'UTC', 'GMT', 'CET', 'EST5EDT', 'Etc/GMT+5'])
    assert.ok(isTimezone(name), name)
})

test('isTimezone refuses offsets, abbreviations, other spellings and partial names', () => {
  const none = ['', 'Berlin', 'Europe', 'Europe/', '/Europe/Berlin', 'Europe/Berlin ', 'Mars/Olympus']
  for (const name of [...none, 'europe/berlin', 'EUROPE/BERLIN', '+01:00', 'UTC+1', 'PST', 'IST', 'Z'])
    assert.ok(!isTimezone(name), name)
})
