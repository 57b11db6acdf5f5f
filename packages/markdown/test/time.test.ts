import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTime, parseTime } from '../src/time/parse-time.ts'

const now = new Date('2020-05-31T12:30:00Z')

const written: [time: string, utc: string | undefined][] = [
  ['2020-05-28T08:00:00Z', '2020-05-28T08:00:00Z'],
  ['2020-05-28T08:00:00-07:00', '2020-05-28T15:00:00Z'],
  ['2020-05-28T08:00:00-0700', '2020-05-28T15:00:00Z'],
  ['2020-05-28T08:00+02', '2020-05-28T06:00:00Z'],
  ['20200528T080000', '2020-05-28T08:00:00Z'],
  ['20200528T0800Z', '2020-05-28T08:00:00Z'],
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
  ['Sunday', '2020-05-31T00:00:00Z'],
  ['Tuesday', '2020-06-02T00:00:00Z'],
  ['Tue 10:30', '2020-06-02T10:30:00Z'],
  ['10:30 EST', '2020-05-31T15:30:00Z'],
  ['10:30 est', undefined],
  ['EST', undefined],
  ['EST 10:30', undefined],
  ['10:30 XYZ', undefined],
  ['10:30 EST CET', undefined],
  ['2020-05-28T08:00:00 CEST', '2020-05-28T06:00:00Z'],
  ['2020-05-28 08:00 PDT', '2020-05-28T15:00:00Z'],
  ['2020-05-28 14:30 AEST', '2020-05-28T04:30:00Z'],
  ['2020-05-28 08:00 GMT', '2020-05-28T08:00:00Z'],
  ['2020-05-28 08:00 UTC+2', '2020-05-28T06:00:00Z'],
  ['2020-05-28 8:00', '2020-05-28T08:00:00Z'],
  ['8 PM', '2020-05-31T20:00:00Z'],
  ['8 PM EST', '2020-06-01T01:00:00Z'],
  ['10:00 a.m.', '2020-05-31T10:00:00Z'],
  ['28.05.2020', '2020-05-28T00:00:00Z'],
  ['28/05/2020', '2020-05-28T00:00:00Z'],
  ['2020/05/28', '2020-05-28T00:00:00Z'],
  ['2020-5-8', '2020-05-08T00:00:00Z'],
  ["Sep 25 '03", '2003-09-25T00:00:00Z'],
  ['2020-05-28T25:00', undefined],
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

const zones: [time: string, offsetMinutes: number | undefined][] = [
  ['2020-05-28 08:00', undefined],
  ['20200528T0800', undefined],
  ['Tuesday', undefined],
  ['10:30 pm', undefined],
  ['2020-05-28T08:00Z', 0],
  ['20200528T0800Z', 0],
  ['1590652800', 0],
  ['2020-05-28T08:00-07:00', -420],
  ['2020-05-28 8:00 CEST', 120],
]

for (const [text, offsetMinutes] of zones) {
  test(`the time '${text}' has ${offsetMinutes === undefined ? 'no zone' : `an offset of ${offsetMinutes} minutes`}`, () => {
    assert.equal(parseTime(text, now)?.offsetMinutes, offsetMinutes)
  })
}
