import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { updateEventShape as shape } from './update-event-shape.ts'

const loaded = new Map([
  [7, '[]'],
  [8, '["read","starred"]'],
])
const flagsFor = (user: number) => shape.readerFields?.(user as UserId, loaded)

test("readerFields returns a user's flags, and read for users without any", () => {
  assert.deepEqual(flagsFor(7), { flags: [] })
  assert.deepEqual(flagsFor(8), { flags: ['read', 'starred'] })
  assert.deepEqual(flagsFor(9), { flags: ['read'] })
})
