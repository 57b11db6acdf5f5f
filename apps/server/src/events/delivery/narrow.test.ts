import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../record.ts'
import { matchesNarrow } from './narrow.ts'

test('is:unread, is:starred and is:mentioned match flags, and a wildcard mention is no mention', () => {
  const event = JSON.stringify({ type: 'message', message: { type: 'stream', subject: 'roses' } })
  const record: LogRecord = { seq: 1, eventCount: 1, tx: 1, outboxId: 1, header: {}, event }
  const kinds = ['unread', 'starred', 'mentioned', 'alerted', 'private', 'unheard of']
  const fitting = (...flags: string[]) => kinds.filter((kind) => matchesNarrow([['is', kind]], record, flags))

  assert.deepEqual(fitting(), ['unread', 'unheard of'])
  assert.deepEqual(fitting('read'), ['unheard of'])
  assert.deepEqual(fitting('read', 'starred'), ['starred', 'unheard of'])
  assert.deepEqual(fitting('mentioned'), ['unread', 'mentioned', 'alerted', 'unheard of'])
  assert.deepEqual(fitting('wildcard_mentioned', 'has_alert_word'), ['unread', 'unheard of'])
})
