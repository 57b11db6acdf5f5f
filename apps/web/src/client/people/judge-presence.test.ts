import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgePresence } from './judge-presence.ts'

const now = 1_800_000_000

test('a person is active or idle if reported so in the last 140 seconds, and offline otherwise', () => {
  const availability = (active_timestamp?: number, idle_timestamp?: number) =>
    judgePresence(
      { ...(active_timestamp && { active_timestamp }), ...(idle_timestamp && { idle_timestamp }) },
      now,
    ).availability

  assert.equal(availability(now - 140), 'active')
  assert.equal(availability(now - 100, now - 1), 'active')
  assert.equal(availability(now - 141, now - 10), 'idle')
  assert.equal(availability(undefined, now - 10), 'idle')
  assert.equal(availability(now - 141, now - 141), 'offline')
  assert.equal(availability(), 'offline')
})

test('the time of the last report is returned for people who are not active', () => {
  assert.equal(judgePresence({ active_timestamp: now - 10 }, now).lastSeen, undefined)
  assert.equal(judgePresence({ active_timestamp: now - 500 }, now).lastSeen, (now - 500) * 1000)
  assert.equal(
    judgePresence({ active_timestamp: now - 500, idle_timestamp: now - 10 }, now).lastSeen,
    (now - 500) * 1000,
  )
  assert.equal(judgePresence(undefined, now).lastSeen, undefined)
})
