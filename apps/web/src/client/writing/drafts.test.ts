import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { draftId, streamId, userId } from '../../../test/ids.ts'
import { type Target, targetKey } from '../conversations/target.ts'
import {
  addDrafts,
  changeDraft,
  draftOf,
  dropDraft,
  type KeptDraft,
  keptDrafts,
  listDrafts,
} from './drafts.ts'

const roses: Target = { type: 'stream', stream_id: streamId(12), topic: 'roses' }
const stream: Target = { type: 'stream', stream_id: streamId(12) }
const people: Target = { type: 'private', user_ids: [9, 7].map(userId) }

beforeEach(() => {
  for (const key of keptDrafts.value.keys()) dropDraft(key)
})

test('the key of a target includes its kind, and ignores the case of topics and the order of people', () => {
  assert.equal(targetKey(roses), 'stream/12/topic/roses')
  assert.equal(targetKey({ ...roses, topic: 'Roses' }), 'stream/12/topic/roses')
  assert.equal(targetKey(stream), 'stream/12/new')
  assert.equal(targetKey(people), 'pm/7,9')
  assert.equal(targetKey({ type: 'private', user_ids: [7, 9].map(userId) }), 'pm/7,9')
})

test('each target has its own draft, which is deleted when it is empty', () => {
  changeDraft(roses, { content: 'A' })
  changeDraft(people, { content: 'B' })
  assert.deepEqual([draftOf(roses).content, draftOf(people).content, draftOf(stream).content], ['A', 'B', ''])
  changeDraft(roses, { content: '' })
  assert.deepEqual([...keptDrafts.value.keys()], ['pm/7,9'])
})

test('a draft with a topic but no text is kept but not listed', () => {
  changeDraft(stream, { topic: 'compost' })
  assert.equal(draftOf(stream).topic, 'compost')
  assert.deepEqual(listDrafts.value, [])
})

test('a draft from another tab or device replaces an older draft, never a newer one', () => {
  const found = (content: string, changed_at: number) =>
    new Map<string, KeptDraft>([
      [targetKey(roses), { target: roses, content, topic: '', changed_at, server_id: draftId(5) }],
    ])
  changeDraft(roses, { content: 'here' })
  addDrafts(found('old', 1))
  assert.equal(draftOf(roses).content, 'here')
  assert.equal(keptDrafts.value.get(targetKey(roses))?.server_id, 5)
  addDrafts(found('new', Date.now() + 1_000))
  assert.equal(draftOf(roses).content, 'new')
})
