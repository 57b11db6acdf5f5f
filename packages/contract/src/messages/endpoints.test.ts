import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode } from '../kernel/decode.ts'
import type { Endpoint } from '../kernel/endpoint.ts'
import * as messages from './endpoints.ts'

const read = <E extends Endpoint>(endpoint: E, params: Record<string, string>, path = {}) =>
  decode(endpoint, { path, arguments: new Map(Object.entries(params)) })

test('sending a message validates its parameters in the order that the protocol requires', () => {
  const missing = (params: Record<string, string>, name: string) =>
    assert.throws(() => read(messages.send, params), { message: `Missing '${name}' argument` })

  missing({}, 'type')
  missing({ type: 'stream', to: '5' }, 'content')
  assert.throws(() => read(messages.send, { type: 'stream', topic: 'a', subject: 'a' }), {
    body: {
      result: 'error',
      code: 'REQUEST_CONFUSING_VAR',
      msg: "Can't decide between 'topic' and 'subject' arguments",
      var_name1: 'topic',
      var_name2: 'subject',
    },
  })
})

test('sending a message trims the topic, sent as topic or subject, and keeps the content', () => {
  const params = { type: 'stream', to: 'garden', content: ' a\0 ' }

  for (const name of ['topic', 'subject']) {
    const draft = read(messages.send, { ...params, [name]: ' roses\n' })
    assert.deepEqual([draft.topic, draft.to, draft.content], ['roses', 'garden', ' a\0 '])
  }
})

test('recipients of a message are decoded as JSON or as text, for every message type', () => {
  const to = (recipient: string) => read(messages.send, { type: 'x', to: recipient, content: '' }).to

  assert.deepEqual(['5', '"5"', '["a"]', '[1,"a"]', '{}', 'null', 'a, b', 'a\0'].map(to), [
    5,
    '5',
    ['a'],
    [1, 'a'],
    {},
    null,
    'a, b',
    'a\0',
  ])
  assert.equal(read(messages.send, { type: 'x', content: '' }).to, undefined)
})

test('sending a message refuses local ids that are too long', () => {
  const params = { type: 'stream', to: '5', content: '' }

  assert.throws(() => read(messages.send, { ...params, local_id: 'x'.repeat(10_001) }), {
    message: 'local_id is too long (limit: 10000 characters)',
  })
})

test('editing a message accepts three propagation modes only', () => {
  const edit = (params: Record<string, string>) => read(messages.edit, params, { message_id: '7' })

  assert.equal(edit({}).propagate_mode, 'change_one')
  assert.equal(edit({ propagate_mode: 'change_all' }).propagate_mode, 'change_all')
  assert.throws(() => edit({ propagate_mode: 'change_some' }), { message: 'Invalid propagate_mode' })
  assert.throws(() => edit({ stream_id: 'x' }), { message: "Bad value for 'stream_id': x" })
})

test('changing flags decodes ids and refuses unknown operations', () => {
  const params = { messages: '[1,2]', op: 'add', flag: 'sunny' }

  assert.deepEqual(read(messages.changeFlags, params), { messages: [1, 2], op: 'add', flag: 'sunny' })
  for (const [change, message] of [
    [{ op: 'put' }, 'Invalid op'],
    [{ messages: '["1"]' }, 'messages[0] is not an integer'],
    [{ messages: `[${Array(50_001).fill(1)}]` }, 'messages has too many items (limit: 50000)'],
  ] as const) {
    assert.throws(() => read(messages.changeFlags, { ...params, ...change }), { message })
  }
})
