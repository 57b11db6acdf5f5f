import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MessageId, Role, type StreamId, type UserId } from '@oxbow/contract'
import { refusal } from '@oxbow/testkit/calls/requests'
import { checkEdit, checkEditParams, type EditParams } from './check-edit.ts'

interface Editor {
  user_id: UserId
  role: Role
  bot_type: null
}
const [iris, otto, ada, owner, gus] = [
  Role.member,
  Role.member,
  Role.administrator,
  Role.owner,
  Role.guest,
].map((role, index): Editor => ({ user_id: (index + 7) as UserId, role, bot_type: null })) as [
  Editor,
  Editor,
  Editor,
  Editor,
  Editor,
]

const usual = {
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  allow_community_topic_editing: true,
  mandatory_topics: false,
}
type Rules = Partial<typeof usual>
const byIris = { sender_id: iris.user_id, is_private: false, topic: 'roses', age: 0 }
type Message = Partial<typeof byIris>

const editParams = (params: Partial<EditParams>): EditParams => ({
  message_id: 3 as MessageId,
  propagate_mode: 'change_one',
  send_notification_to_old_thread: true,
  send_notification_to_new_thread: true,
  stream_id: undefined,
  topic: undefined,
  content: undefined,
  ...params,
})

function edit(editor: Editor, params: Partial<EditParams>, message: Message = {}, rules: Rules = {}) {
  checkEditParams({ ...usual, ...rules }, editParams(params))
  return checkEdit({ ...usual, ...rules }, editor, { ...byIris, ...message }, editParams(params))
}

const off = refusal('Your organization has turned off message editing')
const propagation = refusal('Invalid propagate_mode without topic edit')
const denied = refusal("You don't have permission to edit this message")
const late = refusal('The time limit for editing this message has passed')
const nothing = refusal('Nothing to change')
const noTopic = refusal("Topic can't be empty")

/**
 * Refused edits in the order of precedence: each is refused for its `reason`, although the reasons
 * of all later edits apply to it too.
 */
const order: [
  reason: object,
  editor: Editor,
  params: Partial<EditParams>,
  message?: Message,
  rules?: Rules,
][] = [
  [off, otto, { propagate_mode: 'change_all', content: 'x' }, {}, { allow_message_editing: false }],
  [propagation, otto, { propagate_mode: 'change_later', content: 'x' }, { age: 1e9 }],
  [denied, otto, { content: 'x', topic: '' }, { age: 1e9 }],
  [late, iris, { content: 'x', topic: ' ' }, { age: 621 }],
  [late, otto, {}, { age: 86_421 }],
  [nothing, iris, {}],
  [nothing, iris, { topic: '' }, { is_private: true }],
  [noTopic, iris, { topic: ' \n', content: '\0', stream_id: 4 as StreamId }],
  [refusal('topic is too long (limit: 60 characters)'), iris, { topic: '🌹'.repeat(61), content: '\0' }],
  [refusal('Message must not contain null bytes'), iris, { content: '\0', stream_id: 4 as StreamId }],
  [refusal('content is too long (limit: 10000 bytes)'), iris, { content: 'é'.repeat(5_001) }],
]

for (const [index, [reason, editor, params, message, rules]] of order.entries()) {
  test(`refusal reason ${index + 1} takes precedence over later reasons`, () => {
    assert.throws(() => edit(editor, params, message, rules), reason)
  })
}

test('a topic or stream change accepts every propagate_mode', () => {
  for (const propagate_mode of ['change_one', 'change_later', 'change_all'] as const) {
    edit(iris, { propagate_mode, topic: 'tulips' })
    edit(ada, { propagate_mode, stream_id: 4 as StreamId })
  }
})

test("nobody may edit the content of another user's message", () => {
  for (const editor of [otto, ada, owner, gus]) {
    assert.throws(() => edit(editor, { content: 'x' }), denied)
    assert.throws(() => edit(editor, { content: 'x', topic: 'tulips' }), denied)
    assert.throws(() => edit(editor, { content: 'x' }, { topic: '(no topic)' }), denied)
  }
})

test('without community topic editing, users other than the sender and administrators may only add a missing topic', () => {
  const closed = { allow_community_topic_editing: false }
  for (const editor of [otto, gus]) {
    assert.throws(() => edit(editor, { topic: 'tulips' }, {}, closed), denied)
    edit(editor, { topic: 'tulips' }, { topic: '(no topic)' }, closed)
    assert.throws(() => edit(editor, { topic: 'tulips' }, { topic: '(No topic)' }, closed), denied)
  }
  for (const editor of [iris, ada, owner]) edit(editor, { topic: 'tulips' }, {}, closed)
})

test('all senders, including administrators, may edit content until twenty seconds after the time limit', () => {
  for (const sender of [iris, ada]) {
    const old = (age: number) => ({ sender_id: sender.user_id, age })
    edit(sender, { content: 'x' }, old(620))
    assert.throws(() => edit(sender, { content: 'x' }, old(620.01)), late)
    edit(sender, { content: 'x' }, old(1e9), { message_content_edit_limit_seconds: 0 })
    edit(sender, { topic: 'tulips' }, old(1e9))
  }
})

test('other users may change a topic for a day and twenty seconds, and administrators at any time', () => {
  edit(otto, { topic: 'tulips' }, { age: 86_420 })
  assert.throws(() => edit(otto, { topic: 'tulips' }, { age: 86_420.01 }), late)
  edit(otto, { topic: 'tulips' }, { age: 1e9, topic: '(no topic)' })
  for (const editor of [ada, owner]) edit(editor, { topic: 'tulips' }, { age: 1e9 })
})

test('edited content is trimmed, and an empty edit becomes (deleted)', () => {
  assert.equal(edit(iris, { content: '\n Pruned. \t' }).content, 'Pruned.')
  assert.equal(edit(iris, { content: ' \n' }).content, '(deleted)')
  assert.equal(edit(iris, { topic: ' tulips ' }).topic, 'tulips')
})

test('edited content is limited in bytes and a topic in characters', () => {
  const fits = ['é'.repeat(5_000), '🌹'.repeat(2_500), `${'a'.repeat(9_999)}b`, ` ${'a'.repeat(10_000)}\n`]
  for (const content of fits) assert.equal(edit(iris, { content }).content, content.trim())
  for (const content of ['é'.repeat(5_000), '🌹'.repeat(2_500), 'a'.repeat(10_000)])
    assert.throws(
      () => edit(iris, { content: `${content}a` }),
      refusal('content is too long (limit: 10000 bytes)'),
    )
  for (const topic of ['🌹'.repeat(60), 'é'.repeat(59)]) assert.equal(edit(iris, { topic }).topic, topic)
})

test('a topic is ignored when editing a private message', () => {
  assert.deepEqual(edit(iris, { content: 'x', topic: '' }, { is_private: true }), {
    content: 'x',
    propagate_mode: 'change_one',
    notifiesOldTopic: true,
    togglesResolved: false,
    notifiesNewTopic: true,
  })
})
