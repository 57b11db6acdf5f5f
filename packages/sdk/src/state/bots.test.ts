import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bot } from '@oxbow/contract'
import { after } from '../../test/after.ts'
import type { State } from './state.ts'

const bot = (user_id: number, more: Partial<Bot> = {}) =>
  ({ user_id, full_name: `Bot ${user_id}`, is_active: true, api_key: 'a', services: [], ...more }) as Bot
const state = { realm_bots: [bot(3), bot(7)] } as State
const bots = (op: string, given: object) => after(state, { type: 'realm_bot', op, bot: given }).realm_bots

test('added bots are sorted by id', () => {
  assert.deepEqual(bots('add', bot(5)), [bot(3), bot(5), bot(7)])
  assert.deepEqual(bots('add', bot(7, { full_name: 'Again' })), [bot(3), bot(7, { full_name: 'Again' })])
})

test('an update event changes only the given fields of a bot', () => {
  assert.deepEqual(bots('update', { user_id: 7, api_key: 'b' }), [bot(3), bot(7, { api_key: 'b' })])
  assert.equal(bots('update', { user_id: 8, api_key: 'b' }), state.realm_bots)
})

test('a removed bot stays listed as inactive, and a deleted one is dropped', () => {
  assert.deepEqual(bots('remove', { user_id: 3, full_name: 'Bot 3' }), [bot(3, { is_active: false }), bot(7)])
  assert.deepEqual(bots('delete', { user_id: 3 }), [bot(7)])
  assert.equal(bots('delete', { user_id: 4 }), state.realm_bots)
})

test('events add no bots if bots were not fetched', () => {
  assert.deepEqual(after({} as State, { type: 'realm_bot', op: 'add', bot: bot(1) }), {})
})
