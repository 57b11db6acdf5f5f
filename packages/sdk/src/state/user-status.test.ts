import assert from 'node:assert/strict'
import { test } from 'node:test'
import { after } from './after.ts'
import type { State } from './state.ts'

const start = { user_status: { 7: { away: true } } } as unknown as State
const status = (user_id: number, said: object) => ({ type: 'user_status', user_id, ...said })

test('what an event of a status does not speak of stays', () => {
  const written = after(start, status(7, { status_text: 'in the garden' }))
  assert.deepEqual(written.user_status, { 7: { away: true, status_text: 'in the garden' } })

  const back = after(written, status(7, { away: false }))
  assert.deepEqual(back.user_status, { 7: { status_text: 'in the garden' } })
})

test('who says nothing any more is not listed', () => {
  const both = after(start, status(8, { away: true, status_text: 'at sea' }))
  assert.deepEqual(both.user_status, { 7: { away: true }, 8: { away: true, status_text: 'at sea' } })

  assert.deepEqual(after(both, status(8, { away: false, status_text: '' })).user_status, start.user_status)
})

test('a status ends with the account', () => {
  const removed = { type: 'realm_user', op: 'remove', person: { user_id: 7, full_name: 'Iris' } }
  assert.deepEqual(after(start, removed).user_status, {})
})

test('what was not fetched stays away, and what does not change is the same', () => {
  assert.deepEqual(after({} as State, status(7, { away: true })), {})
  assert.equal(after(start, status(7, { away: true })), start)
})
