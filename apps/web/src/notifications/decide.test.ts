import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ArrivedMessage, chooseChannels, type NotificationRules } from './decide.ts'

const rules: NotificationRules = {
  screen: true,
  sound: false,
  streamScreen: false,
  streamSound: false,
  wildcards: true,
}
const inStream: ArrivedMessage = {
  isOwn: false,
  isPrivate: false,
  isStreamMuted: false,
  topicPolicy: 'inherit',
  isSenderMuted: false,
  flags: [],
}
const shows = (message: Partial<ArrivedMessage>, changed: Partial<NotificationRules> = {}) =>
  chooseChannels({ ...inStream, ...message }, { ...rules, ...changed }).screen

test('private messages, mentions and alert words notify according to the settings of the account', () => {
  for (const message of [
    { isPrivate: true },
    { flags: ['mentioned'] },
    { flags: ['has_alert_word'] },
    { flags: ['wildcard_mentioned'] },
  ]) {
    assert.equal(shows(message), true, JSON.stringify(message))
    assert.equal(shows(message, { screen: false }), false, JSON.stringify(message))
  }
})

test("the user's own messages and read messages do not notify", () => {
  assert.equal(shows({ isPrivate: true, isOwn: true }), false)
  assert.equal(shows({ isPrivate: true, flags: ['read'] }), false)
  assert.equal(shows({ flags: ['mentioned', 'read'] }), false)
})

test('messages in streams notify according to the setting of the stream', () => {
  assert.equal(shows({}), false)
  assert.equal(shows({}, { streamScreen: true }), true)
  assert.equal(shows({}, { streamScreen: true, screen: false }), true)
})

test('mentions of everyone do not notify if the user disabled it', () => {
  assert.equal(shows({ flags: ['wildcard_mentioned'] }, { wildcards: false }), false)
})

test('in muted topics and streams only a personal mention notifies', () => {
  for (const muted of [{ topicPolicy: 'muted' } as const, { isStreamMuted: true }]) {
    assert.equal(shows({ ...muted, flags: ['mentioned'] }), true)
    assert.equal(shows({ ...muted, flags: ['has_alert_word'] }), false)
    assert.equal(shows({ ...muted, flags: ['wildcard_mentioned'] }), false)
    assert.equal(shows(muted, { streamScreen: true }), false)
  }
})

test('followed topics notify of every message, and unmuted ones as if their stream was not muted', () => {
  const isStreamMuted = true
  assert.equal(shows({ isStreamMuted, topicPolicy: 'followed' }), true)
  assert.equal(shows({ topicPolicy: 'followed' }, { screen: false }), false)
  assert.equal(shows({ isStreamMuted, topicPolicy: 'unmuted' }), false)
  assert.equal(shows({ isStreamMuted, topicPolicy: 'unmuted' }, { streamScreen: true }), true)
  assert.equal(shows({ isStreamMuted, topicPolicy: 'unmuted', flags: ['wildcard_mentioned'] }), true)
})

test('messages of muted people do not notify', () => {
  assert.equal(shows({ isSenderMuted: true, isPrivate: true }), false)
  assert.equal(shows({ isSenderMuted: true, flags: ['mentioned'] }), false)
})

test('settings of the stream take precedence', () => {
  const overrides = {
    desktop_notifications: true,
    audible_notifications: null,
    wildcard_mentions_notify: true,
  }
  assert.equal(shows({}, { overrides }), true)
  assert.equal(
    shows({}, { streamScreen: true, overrides: { ...overrides, desktop_notifications: false } }),
    false,
  )
  // Mentions of everyone that a stream turned on also notify if the stream is muted.
  const everyone = { isStreamMuted: true, flags: ['wildcard_mentioned'] }
  assert.equal(shows(everyone, { wildcards: false, overrides }), true)
})

test('sounds and on-screen notifications have separate settings', () => {
  const quiet = { ...rules, screen: false, sound: true }
  assert.deepEqual(chooseChannels({ ...inStream, isPrivate: true }, quiet), { screen: false, sound: true })
  assert.deepEqual(chooseChannels(inStream, { ...rules, streamSound: true }), { screen: false, sound: true })
})
