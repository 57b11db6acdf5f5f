import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { signal } from '@preact/signals'
import type { ShownWindow } from '../client/messages/windows.ts'
import { ListModel } from './list-model.ts'

test('a full list replaces rows at one end only if the reader is near the other', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => (index + 1) as MessageId)
  const window = {
    segment: signal({ ids, from: 0, to: Number.POSITIVE_INFINITY }),
    current: signal({}),
  } as unknown as ShownWindow
  const model = new ListModel({
    window,
    scrollTarget: { kind: 'end' },
    hasBars: false,
    isSparse: false,
    firstNew: undefined,
  })
  model.settle(true)
  let added = 0
  while (added < 50 && model.showOlder(false)) added++
  assert.equal(added, 14)
  assert.equal(model.isFull, true)
  assert.equal(model.hasNewest, true)
  assert.equal(model.showOlder(true), true)
  assert.equal(model.hasNewest, false)
  assert.equal(model.showNewer(false), false)
  assert.equal(model.showNewer(true), true)
  assert.equal(model.hasNewest, true)
})
