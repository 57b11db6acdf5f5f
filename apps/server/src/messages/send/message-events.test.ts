import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueueOptions } from '../../events/queue-options.ts'
import { messageEventShape as shape } from './message-events.ts'

const emitted = (fields: object = {}) => ({
  type: 'message',
  message: {
    id: 3,
    content: '**Pruned.**',
    rendered_content: '<p><strong>Pruned.</strong></p>',
    avatar_url: 'https://avatars.example/7',
    subject: 'roses',
    submessages: [] as object[],
    ...fields,
  },
})

const variantOf = (apply_markdown: boolean, client_external_avatar: boolean) =>
  shape.variant({ apply_markdown, client_external_avatar } as QueueOptions)

/** Returns the message that a queue with these settings gets. */
function messageFor(apply_markdown: boolean, client_external_avatar: boolean, fields: object = {}): object {
  const [event, ...more] = shape.render(
    emitted(fields),
    variantOf(apply_markdown, client_external_avatar),
    undefined,
  )
  assert.deepEqual(more, [])
  const { type, message, ...rest } = event as { type: string; message: object }
  assert.deepEqual([type, rest], ['message', {}])
  return message
}

const html = { content: '<p><strong>Pruned.</strong></p>', content_type: 'text/html' }
const raw = { content: '**Pruned.**', content_type: 'text/x-markdown' }
const common = { id: 3, subject: 'roses', submessages: [] as object[] }
const shown = { avatar_url: 'https://avatars.example/7' }

test('a queue gets HTML or Markdown with the matching content_type', () => {
  assert.deepEqual(messageFor(true, false), { ...common, ...shown, ...html })
  assert.deepEqual(messageFor(false, false), { ...common, ...shown, ...raw })
})

test('client_external_avatar queues get no URL for avatars that clients can compute', () => {
  const external = { isAvatarExternal: true }
  assert.deepEqual(messageFor(true, true, external), { ...common, avatar_url: null, ...html })
  assert.deepEqual(messageFor(false, true, external), { ...common, avatar_url: null, ...raw })
  assert.deepEqual(messageFor(true, true), { ...common, ...shown, ...html })
  assert.deepEqual(messageFor(true, false, external), { ...common, ...shown, ...html })
})

test("the submessage of a new message gets the message's id", () => {
  const start = { id: 2, sender_id: 7, msg_type: 'widget', content: '{}' }
  const message = messageFor(true, false, { submessages: [start] }) as { submessages: object[] }

  assert.deepEqual(message.submessages, [{ ...start, message_id: 3 }])
})

test('each combination of the queue settings apply_markdown and client_external_avatar has its own variant', () => {
  const booleans = [true, false]
  const variants = booleans.flatMap((first) => booleans.map((second) => variantOf(first, second)))
  assert.equal(new Set(variants).size, 4)
})

test('a new message event has local_id as the last field of the message and local_message_id beside the message', () => {
  for (const markdown of [true, false]) {
    const variant = variantOf(markdown, true)
    const emission = emitted({ isAvatarExternal: true })

    const [text = '', ...more] =
      shape.renderForAccount?.(emission, { local_id: '1.01' }, variant, undefined) ?? []

    const message = { ...messageFor(markdown, true, { isAvatarExternal: true }), local_id: '1.01' }
    assert.deepEqual(JSON.parse(text), { type: 'message', message, local_message_id: '1.01' })
    assert.match(text, /"local_id":"1\.01"\},"local_message_id":"1\.01"\}$/)
    assert.deepEqual(more, [])
  }
})
