import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { updateEventShape as shape } from './update-event-shape.ts'

const loaded = new Map([
  [7, '[]'],
  [8, '["read","starred"]'],
])
const getFlags = (user: number) => shape.readerFields?.(user as UserId, loaded)

test("readerFields returns a user's flags, or only read for users without flags", () => {
  assert.deepEqual(getFlags(7), { flags: [] })
  assert.deepEqual(getFlags(8), { flags: ['read', 'starred'] })
  assert.deepEqual(getFlags(9), { flags: ['read'] })
})
