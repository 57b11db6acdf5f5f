import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@oxbow/contract'
import fc from 'fast-check'
import type { State } from '../state/state.ts'
import { changeMessage, type EventLike } from './change-message.ts'
import { flagBits, type WindowMessage } from './message.ts'
import { showMessage, showState } from './pending.ts'

const base = {
  ...{
    id: 10,
    sender_id: 5,
    timestamp: 1,
    stream_id: 1,
    topic: 'roses',
    topic_links: [],
    user_ids: undefined,
  },
  ...{ content: '<p>Pruned</p>', is_me_message: false, last_edit_timestamp: undefined, flags: 0 },
  ...{ reactions: [], submessages: [] },
} as unknown as WindowMessage

const ids = fc.constantFrom([10], [9], [9, 10])
const pendingEvent: fc.Arbitrary<EventLike> = fc.oneof(
  fc.record({
    type: fc.constant('update_message_flags'),
    operation: fc.constantFrom('add', 'remove'),
    flag: fc.constantFrom('read', 'starred', 'collapsed'),
    messages: ids,
    all: fc.constant(false),
  }),
  fc.record({
    type: fc.constant('reaction'),
    op: fc.constantFrom('add', 'remove'),
    message_id: fc.constantFrom(9, 10),
    emoji_name: fc.constant('rose'),
    emoji_code: fc.constantFrom('1f339', '1f41b'),
    reaction_type: fc.constant('unicode_emoji'),
    user_id: fc.constantFrom(2, 5),
    user: fc.constant({ user_id: 2, email: '', full_name: '' }),
  }),
  fc.record(
    {
      type: fc.constant('update_message'),
      message_ids: ids,
      message_id: fc.constant(10),
      flags: fc.constant(['read']),
      rendered_content: fc.constantFrom('<p>Cut</p>', '<p>Mown</p>'),
      subject: fc.constantFrom('weeds', 'moles'),
    },
    { requiredKeys: ['type', 'message_ids', 'message_id', 'flags'] },
  ),
) as never

test('pending changes are applied to a copy of a message', () => {
  const star = { type: 'update_message_flags', operation: 'add', flag: 'starred', messages: [10], all: false }
  const before = structuredClone(base)

  const shown = showMessage(base, [star as EventLike])

  assert.equal(shown?.flags, flagBits.starred)
  assert.deepEqual(base, before)
  assert.equal(showMessage(base, []), base)
  assert.equal(showMessage(base, [{ ...star, messages: [11] } as EventLike]), base)
})

test('applying pending changes again after the server confirmed them changes at most the order of reactions', () => {
  fc.assert(
    fc.property(fc.array(pendingEvent, { maxLength: 6 }), (pending) => {
      const once = showMessage(base, pending)
      assert.ok(once)
      assert.deepEqual(sortReactions(showMessage(once, pending)), sortReactions(once))
      const confirmed = pending.reduce<WindowMessage>(
        (message, event) => changeMessage(message, event) ?? message,
        base,
      )
      assert.deepEqual(sortReactions(showMessage(confirmed, pending)), sortReactions(once))
    }),
  )
})

/**
 * Only the order of reactions may differ, because a reaction that is removed and added again moves
 * to the end.
 */
const sortReactions = (message: WindowMessage | undefined) =>
  message && { ...message, reactions: message.reactions.map((reaction) => JSON.stringify(reaction)).sort() }

test('a pending deletion hides the message', () => {
  const gone = { type: 'delete_message', message_type: 'private', message_ids: [10], recipient_id: 1 }
  assert.equal(showMessage(base, [gone as EventLike]), undefined)
})

test('pending changes are applied to a copy of the state', () => {
  const state = { starred_messages: [4], queue_id: 'q', last_event_id: 1 } as unknown as State
  const star = { type: 'update_message_flags', operation: 'add', flag: 'starred', messages: [7], all: false }

  const shown = showState(state, [star as Event])

  assert.deepEqual(shown.starred_messages, [4, 7])
  assert.deepEqual(showState(shown, [star as Event]), shown)
  assert.deepEqual(state.starred_messages, [4])
  assert.equal(showState(state, []), state)
})
