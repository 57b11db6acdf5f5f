import assert from 'node:assert/strict'
import { test } from 'node:test'
import { after } from '../../test/after.ts'
import type { State } from './state.ts'

const start = { user_status: { 7: { away: true } } } as unknown as State
const status = (user_id: number, said: object) => ({ type: 'user_status', user_id, ...said })

test('fields that a status event lacks stay unchanged', () => {
  const written = after(start, status(7, { status_text: 'in the garden' }))
  assert.deepEqual(written.user_status, { 7: { away: true, status_text: 'in the garden' } })

  const back = after(written, status(7, { away: false }))
  assert.deepEqual(back.user_status, { 7: { status_text: 'in the garden' } })
})

test('an empty status is removed from the list', () => {
  const both = after(start, status(8, { away: true, status_text: 'at sea' }))
  assert.deepEqual(both.user_status, { 7: { away: true }, 8: { away: true, status_text: 'at sea' } })

  assert.deepEqual(after(both, status(8, { away: false, status_text: '' })).user_status, start.user_status)
})

test('the status of a deactivated user is removed', () => {
  const removed = { type: 'realm_user', op: 'remove', person: { user_id: 7, full_name: 'Iris' } }
  assert.deepEqual(after(start, removed).user_status, {})
})

test('status events add no fields that were not fetched, and keep unchanged objects', () => {
  assert.deepEqual(after({} as State, status(7, { away: true })), {})
  assert.equal(after(start, status(7, { away: true })), start)
})
