import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reaction, ReactionEvent } from '@oxbow/contract'
import { applyReaction } from './reactions.ts'

const reacted = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
const iris = { email: 'iris@garden.example', full_name: 'Iris' }
const event = (op: string, more = {}) =>
  ({
    id: 5,
    type: 'reaction',
    op,
    message_id: 9,
    ...reacted,
    user_id: 12,
    user: { user_id: 12, ...iris },
    ...more,
  }) as ReactionEvent
const reactionOfIris = { ...reacted, user_id: 12, user: { id: 12, ...iris } } as Reaction
const reactionOfOtto = { ...reactionOfIris, user_id: 13 } as Reaction

test('a repeated reaction event appends the reaction once', () => {
  const added = applyReaction([reactionOfOtto], event('add'))

  assert.deepEqual(added, [reactionOfOtto, reactionOfIris])
  assert.equal(applyReaction(added, event('add')), added)
})

test('a remove event removes only the named reaction', () => {
  const others = [
    reactionOfOtto,
    { ...reactionOfIris, emoji_code: '1f680' },
    { ...reactionOfIris, reaction_type: 'realm_emoji' as const },
  ]

  const removed = applyReaction(
    [...others, reactionOfIris],
    event('remove', { emoji_name: 'congratulations' }),
  )

  assert.deepEqual(removed, others)
  assert.equal(applyReaction(removed, event('remove')), removed)
})
