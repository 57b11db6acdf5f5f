import assert from 'node:assert/strict'
import { test } from 'node:test'
import { narrowFilters } from './operators.ts'

test('queues can be registered with stream, topic, sender and is', () => {
  assert.deepEqual(Object.keys(narrowFilters), ['stream', 'topic', 'sender', 'is'])
})

test('is:unread, is:starred and is:mentioned match flags, and a wildcard mention does not match is:mentioned', () => {
  const event = { type: 'message', message: { type: 'stream', subject: 'roses' } }
  const kinds = ['unread', 'starred', 'mentioned', 'alerted', 'private', 'unheard of']
  const fitting = (...flags: string[]) => kinds.filter((kind) => narrowFilters.is?.(event, flags, kind))

  assert.deepEqual(fitting(), ['unread', 'unheard of'])
  assert.deepEqual(fitting('read'), ['unheard of'])
  assert.deepEqual(fitting('read', 'starred'), ['starred', 'unheard of'])
  assert.deepEqual(fitting('mentioned'), ['unread', 'mentioned', 'alerted', 'unheard of'])
  assert.deepEqual(fitting('wildcard_mentioned', 'has_alert_word'), ['unread', 'unheard of'])
})
