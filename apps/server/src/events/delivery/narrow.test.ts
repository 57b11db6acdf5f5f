import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../record.ts'
import { fitsNarrow } from './narrow.ts'

test('what is read, starred or mentions someone is told by flags; a mention of all is none', () => {
  const event = JSON.stringify({ type: 'message', message: { type: 'stream', subject: 'roses' } })
  const record: LogRecord = { seq: 1, width: 1, tx: 1, outboxId: 1, header: {}, event }
  const kinds = ['unread', 'starred', 'mentioned', 'alerted', 'private', 'unheard of']
  const fitting = (...flags: string[]) => kinds.filter((kind) => fitsNarrow([['is', kind]], record, flags))

  assert.deepEqual(fitting(), ['unread', 'unheard of'])
  assert.deepEqual(fitting('read'), ['unheard of'])
  assert.deepEqual(fitting('read', 'starred'), ['starred', 'unheard of'])
  assert.deepEqual(fitting('mentioned'), ['unread', 'mentioned', 'alerted', 'unheard of'])
  assert.deepEqual(fitting('wildcard_mentioned', 'has_alert_word'), ['unread', 'unheard of'])
})
