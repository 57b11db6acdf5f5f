import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '@oxbow/server'
import { print, report, warn } from '../src/report.ts'

test('control characters of names in a crafted file do not reach the terminal', (t) => {
  const written: unknown[] = []
  const take = (chunk: unknown) => {
    written.push(chunk)
    return true
  }
  const mocked = [t.mock.method(process.stdout, 'write', take), t.mock.method(process.stderr, 'write', take)]
  const crafted = 'a\tb\nc\x1b]0;title\x07\x9b2J\r'
  print(crafted)
  warn(crafted)
  report(new OperatorError(crafted))
  for (const { mock } of mocked) mock.restore()

  const shown = 'a\tb\nc\\x1b]0;title\\x07\\x9b2J\\x0d\n'
  assert.deepEqual(written, [shown, `Warning: ${shown}`, shown])
})
