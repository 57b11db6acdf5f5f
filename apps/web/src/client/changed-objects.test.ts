import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@oxbow/contract'
import { listChangedObjects } from './changed-objects.ts'

const list = (fields: object) => listChangedObjects(fields as Event)

test('changes of different objects have no common key, and events with whole lists have one', () => {
  const emoji = { type: 'reaction', reaction_type: 'unicode_emoji' }
  const setting = { type: 'subscription', op: 'update' }
  const events = [
    { ...emoji, message_id: 1, emoji_code: '1f44d' },
    { ...emoji, message_id: 2, emoji_code: '1f44d' },
    { ...emoji, message_id: 1, emoji_code: '1f389' },
    { type: 'update_message', message_id: 1 },
    { type: 'update_message', message_id: 2 },
    { type: 'update_display_settings', setting_name: 'high_contrast_mode' },
    { type: 'update_display_settings', setting_name: 'enter_sends' },
    { type: 'update_global_notifications', notification_name: 'enable_sounds' },
    { type: 'update_global_notifications', notification_name: 'pm_content_in_desktop_notifications' },
    { ...setting, stream_id: 1, property: 'color' },
    { ...setting, stream_id: 2, property: 'color' },
    { ...setting, stream_id: 1, property: 'pin_to_top' },
    { type: 'update_message_flags', flag: 'starred', messages: [1] },
    { type: 'update_message_flags', flag: 'starred', messages: [2] },
    { type: 'update_message_flags', flag: 'collapsed', messages: [1] },
    { type: 'update_message_flags', flag: 'read', messages: [1] },
    { type: 'realm_user', op: 'update', person: { user_id: 1, custom_profile_field: { id: 1, value: 'x' } } },
    { type: 'realm_user', op: 'update', person: { user_id: 1, custom_profile_field: { id: 2, value: 'x' } } },
    { type: 'scheduled_messages', op: 'remove', scheduled_message_id: 1 },
    { type: 'scheduled_messages', op: 'remove', scheduled_message_id: 2 },
    { type: 'muted_topics', muted_topics: [] },
    { type: 'alert_words', alert_words: [] },
  ]
  const keys = events.flatMap(list)
  assert.equal(keys.length, events.length)
  assert.equal(new Set(keys).size, keys.length)
})

test('opposite changes of one object have a common key', () => {
  const reaction = { type: 'reaction', message_id: 1, reaction_type: 'unicode_emoji', emoji_code: '1f44d' }
  assert.deepEqual(list({ ...reaction, op: 'add' }), list({ ...reaction, op: 'remove' }))
  const subscription = { type: 'subscription', subscriptions: [{ stream_id: 3, name: 'garden' }] }
  assert.deepEqual(list({ ...subscription, op: 'add' }), list({ ...subscription, op: 'remove' }))
  const read = { type: 'update_message_flags', flag: 'read' }
  assert.deepEqual(list({ ...read, messages: [1, 2] }), list({ ...read, messages: [3] }))
})
