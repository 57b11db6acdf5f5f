import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toApiError } from './api-errors.ts'

const isAboutBotConfig = (msg: string): boolean =>
  toApiError({ code: 'BAD_REQUEST', msg }, 400).is('BOT_CONFIG_VALUE_INVALID')

test('an error of a response gets the name whose text it has', () => {
  for (const msg of ['Invalid mood value x (no (such) mood)', 'Invalid mood value  value  ()'])
    assert.ok(isAboutBotConfig(msg), msg)
  for (const msg of [
    'Invalid mood value x',
    'Invalid value x (y)',
    'Invalid mood value (y)',
    'Not Invalid a value b (c)',
  ])
    assert.ok(!isAboutBotConfig(msg), msg)
})

test('the name of an error with a long text is found in little processor time', () => {
  const began = process.threadCpuUsage()
  assert.ok(!isAboutBotConfig(`Invalid ${' value '.repeat(1_500)}${' ('.repeat(1_500)}`))
  assert.ok(process.threadCpuUsage(began).user < 500_000)
})
