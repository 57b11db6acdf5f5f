import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { formatLine } from './log-text.ts'

test('a line shows time, level and text, then fields by name, without the process id', () => {
  const line = JSON.stringify({
    level: 'info',
    time: '2026-11-15T22:21:12.123Z',
    pid: 7,
    route: '/api/v1/users/{user_id}',
    status: 200,
    agent: 'two words',
    msg: 'request',
  })

  assert.equal(
    formatLine(line, false),
    '22:21:12.123 INFO  request route=/api/v1/users/{user_id} status=200 agent="two words"',
  )
})

test('an error is shown below its line, with its stack and its fields', () => {
  let line = ''
  const log = pino(
    { base: null, formatters: { level: (level) => ({ level }) } },
    { write: (text) => (line = text) },
  )
  log.error({ err: Object.assign(new Error('no room'), { code: '53100' }) }, 'a write failed')

  const [head = '', ...below] = formatLine(line, false).split('\n')

  assert.match(head, /ERROR a write failed$/)
  assert.match(below[0] ?? '', /^ {4}Error: no room$/)
  assert.match(below[1] ?? '', /^ {4}at /)
  assert.match(below.at(-1) ?? '', /^ {4}code=53100$/)
})

test('control characters are escaped, and a line that is not JSON is unchanged', () => {
  const line = JSON.stringify({ level: 'warn', msg: 'a\u001b[2Jb\u009b', name: 'x\u001b[1m' })

  const shown = formatLine(line, false)

  assert.doesNotMatch(shown, /[^\x20-\x7e]/)
  assert.match(shown, /a\\x1b\[2Jb\\x9b/)
  assert.equal(formatLine('plain text\n'), 'plain text')
})

test('levels are coloured on a terminal', () => {
  assert.ok(formatLine(JSON.stringify({ level: 'warn', msg: 'x' })).includes('\u001b[33mWARN '))
})
