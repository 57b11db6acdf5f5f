import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeFlagEvents } from './merge.ts'
import type { RenderedEvent } from './render.ts'

const event = (id: number, fields: object): RenderedEvent => ({ id, json: JSON.stringify({ id, ...fields }) })
const flags = (id: number, messages: number[], fields: object = {}) =>
  event(id, {
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    all: false,
    messages,
    ...fields,
  })
const other = (id: number) => event(id, { type: 'x' })

const merge = (...events: RenderedEvent[]) => mergeFlagEvents(events).map(({ json }) => JSON.parse(json))
const parseAll = (...events: RenderedEvent[]) => events.map(({ json }) => JSON.parse(json))

test('flag changes are merged into the newest event of their group, at its position', () => {
  const merged = merge(flags(0, [101]), flags(1, [201, 202]), other(2), flags(4, [301]), flags(6, [401]))

  assert.deepEqual(merged, parseAll(other(2), flags(6, [101, 201, 202, 301, 401])))
})

test('a merged event has the id of the newest event, also in its JSON', () => {
  const merged = mergeFlagEvents([flags(1, [1]), other(2), flags(3, [1])])

  assert.deepEqual(
    merged.map(({ id }) => id),
    [2, 3],
  )
  assert.deepEqual(JSON.parse(merged[1]?.json ?? '').messages, [1, 1])
})

test('changes of another flag, opposite changes and changes of all messages are not merged', () => {
  const unmergeable = [
    flags(1, [1]),
    flags(2, [2], { flag: 'starred' }),
    flags(3, [3], { operation: 'remove' }),
    flags(4, [], { all: true }),
    flags(5, [], { all: true }),
  ]

  assert.deepEqual(merge(...unmergeable), parseAll(...unmergeable))
  const again = flags(6, [6], { flag: 'starred' })
  const [first, second, ...rest] = unmergeable
  assert.ok(first && second)
  assert.deepEqual(
    merge(...unmergeable, again),
    parseAll(first, ...rest, flags(6, [2, 6], { flag: 'starred' })),
    'others in between do not matter',
  )
})

test('flag changes are not merged across an opposite change', () => {
  const withOpposite = [flags(1, [1]), flags(2, [1], { operation: 'remove' }), flags(3, [2])]
  assert.deepEqual(merge(...withOpposite), parseAll(...withOpposite))
  const all = [flags(1, [1], { operation: 'remove' }), flags(2, [], { all: true }), flags(3, [2])]
  const withRemoval = [...all, flags(4, [3], { operation: 'remove' })]
  assert.deepEqual(merge(...withRemoval), parseAll(...withRemoval))
})

test('flag changes are not merged across edits, deletions and subscription changes', () => {
  for (const type of ['update_message', 'delete_message', 'subscription']) {
    const between = event(2, { type })
    const withBarrier = [flags(1, [1]), between, flags(3, [2]), flags(4, [3])]

    assert.deepEqual(merge(...withBarrier), parseAll(flags(1, [1]), between, flags(4, [2, 3])), type)
  }
})

test('merged unread events have the message_details of all messages', () => {
  const unread = (id: number, messages: number[]) =>
    flags(id, messages, {
      operation: 'remove',
      message_details: Object.fromEntries(messages.map((message) => [message, { type: 'private', id }])),
    })

  const [merged, ...none] = merge(unread(1, [5, 6]), other(2), unread(3, [6, 7])).filter(
    ({ type }) => type !== 'x',
  )

  assert.deepEqual(none, [])
  assert.deepEqual(merged.messages, [5, 6, 6, 7])
  const detail = (id: number) => ({ type: 'private', id })
  assert.deepEqual(merged.message_details, { 5: detail(1), 6: detail(3), 7: detail(3) })
})

test('an event whose text quotes a flag change is not merged', () => {
  const quoting = [1, 2].map((id) =>
    event(id, { type: 'message', said: { type: 'update_message_flags' }, id }),
  )

  assert.deepEqual(merge(...quoting), parseAll(...quoting))
})
