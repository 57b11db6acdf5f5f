import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeFamilies } from './merge.ts'
import type { RenderedEvent } from './render.ts'

const event = (id: number, fields: object): RenderedEvent => ({ id, json: JSON.stringify({ id, ...fields }) })
const flags = (id: number, messages: number[], given: object = {}) =>
  event(id, {
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    all: false,
    messages,
    ...given,
  })
const restart = (id: number, server_generation: number) => event(id, { type: 'restart', server_generation })
const other = (id: number) => event(id, { type: 'x' })

const merge = (...events: RenderedEvent[]) => mergeFamilies(events).map(({ json }) => JSON.parse(json))
const plain = (...events: RenderedEvent[]) => events.map(({ json }) => JSON.parse(json))

test('the newest of each family stands for all of it, at its own place', () => {
  const merged = merge(
    flags(0, [101]),
    flags(1, [201, 202]),
    other(2),
    restart(3, 1),
    flags(4, [301]),
    restart(5, 2),
    flags(6, [401]),
  )

  assert.deepEqual(merged, plain(other(2), restart(5, 2), flags(6, [101, 201, 202, 301, 401])))
})

test('the id that is left is also that of the envelope, so that cursors are right', () => {
  const merged = mergeFamilies([flags(1, [1]), other(2), flags(3, [1])])

  assert.deepEqual(
    merged.map(({ id }) => id),
    [2, 3],
  )
  assert.deepEqual(JSON.parse(merged[1]?.json ?? '').messages, [1, 1])
})

test('another flag, the other way, or all messages are families of their own or none', () => {
  const apart = [
    flags(1, [1]),
    flags(2, [2], { flag: 'starred' }),
    flags(3, [3], { operation: 'remove' }),
    flags(4, [], { all: true }),
    flags(5, [], { all: true }),
  ]

  assert.deepEqual(merge(...apart), plain(...apart))
  assert.deepEqual(merge(...apart, flags(6, [6])), plain(...apart.slice(1), flags(6, [1, 6])))
})

test('an event that only speaks of a restart is none', () => {
  const quoting = [1, 2].map((id) => event(id, { type: 'message', said: { type: 'restart' }, id }))

  assert.deepEqual(merge(...quoting), plain(...quoting))
})
