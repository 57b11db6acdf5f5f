import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTime, parseTime } from '../src/time/parse-time.ts'

const now = new Date('2020-05-31T12:30:00Z')

const written: [time: string, utc: string | undefined][] = [
  ['2020-05-28T08:00:00Z', '2020-05-28T08:00:00Z'],
  ['2020-05-28T08:00:00-07:00', '2020-05-28T15:00:00Z'],
  ['2020-05-28T08:00:00-0700', '2020-05-28T15:00:00Z'],
  ['2020-05-28T08:00+02', '2020-05-28T06:00:00Z'],
  ['20200528T080000', undefined],
  ['20200528', '2020-05-28T00:00:00Z'],
  ['202005280815', '2020-05-28T08:15:00Z'],
  ['2020-05', '2020-05-01T00:00:00Z'],
  ['Jun 5th 2017, 10:30', '2017-06-05T10:30:00Z'],
  ['5 June 2017 at 10:30 pm', '2017-06-05T22:30:00Z'],
  ['12:00 am', '2020-05-31T00:00:00Z'],
  ['12pm', '2020-05-31T12:00:00Z'],
  ['13pm', undefined],
  ['5/28/2020 8:00', '2020-05-28T08:00:00Z'],
  ['5/28/20', '2020-05-28T00:00:00Z'],
  ['February', '2020-02-29T00:00:00Z'],
  ['31 February', undefined],
  ['Sunday', undefined],
  ['1590652800', '2020-05-28T08:00:00Z'],
  ['1590652800.5', '2020-05-28T08:00:00.500000Z'],
  ['-1', '1969-12-31T23:59:59Z'],
  ['99999999999999', undefined],
  ['0', '1970-01-01T00:00:00Z'],
  ['99', '1999-05-31T00:00:00Z'],
  ['24:00', undefined],
  ['tomorrow', undefined],
  ['10 11 12 13', undefined],
  ['', undefined],
]

for (const [text, utc] of written) {
  test(`the time '${text}' is ${utc ?? 'not understood'}`, () => {
    const moment = parseTime(text, now)
    assert.equal(moment && formatTime(moment), utc)
  })
}
