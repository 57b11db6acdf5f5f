import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamId, userId } from '../../test/ids.ts'
import { parseHash } from '../client/route/hash.ts'
import { findUnread, isMixed, marksRead, readView } from './conversation-view.ts'

function viewOf(hash: string) {
  const route = parseHash(hash)
  assert.equal(route.view, 'narrow')
  return readView(route as never, (name) => (name === 'garden' ? 12 : undefined))
}

const cases: [string, object | undefined, { mixed: boolean; reads: boolean }?][] = [
  ['#narrow/stream/12-garden', { kind: 'stream', stream_id: streamId(12) }, { mixed: true, reads: true }],
  [
    '#narrow/stream/12-garden/topic/roses',
    { kind: 'topic', stream_id: streamId(12), topic: 'roses' },
    { mixed: false, reads: true },
  ],
  ['#narrow/stream/Garden/topic/roses/near/5', { kind: 'topic', stream_id: streamId(12), topic: 'roses' }],
  ['#narrow/stream/unknown', undefined],
  [
    '#narrow/pm-with/7,9-group',
    { kind: 'private', user_ids: [7, 9].map(userId) },
    { mixed: false, reads: true },
  ],
  ['#narrow/is/private', { kind: 'all private' }, { mixed: true, reads: true }],
  ['#narrow/in/home', { kind: 'all' }, { mixed: true, reads: true }],
  ['#narrow/is/mentioned', { kind: 'mentions' }, { mixed: true, reads: true }],
  ['#narrow/is/alerted', { kind: 'alerts' }, { mixed: true, reads: false }],
  ['#narrow/is/starred', { kind: 'starred' }, { mixed: true, reads: false }],
  ['#narrow/is/followed', { kind: 'followed' }, { mixed: true, reads: true }],
  ['#narrow/search/prune', { kind: 'search' }, { mixed: true, reads: false }],
  ['#narrow/-stream/12-garden', { kind: 'search' }],
  ['#narrow/stream/12-garden/topic/roses/search/prune', { kind: 'search' }],
]

for (const [hash, list, facts] of cases)
  test(`the route ${hash} shows ${list ? JSON.stringify(list) : 'no list'}`, () => {
    const view = viewOf(hash)
    assert.deepEqual(view?.list, list)
    if (view && facts) {
      assert.equal(isMixed(view.list), facts.mixed)
      assert.equal(marksRead(view.list), facts.reads)
    }
  })

const unread = {
  topics: [
    { stream_id: streamId(12), topic: 'Roses', isMuted: false, isFollowed: false, ids: [5, 8] },
    { stream_id: streamId(12), topic: 'weeds', isMuted: true, isFollowed: true, ids: [3] },
    { stream_id: streamId(13), topic: 'roses', isMuted: false, isFollowed: false, ids: [4] },
  ],
  conversations: [
    { user_ids: [7, 9].map(userId), ids: [6, 7] },
    { user_ids: [7].map(userId), ids: [2] },
  ],
  mentions: new Set([8, 7]),
}

test('the first unread message of a list and its unread count are found', () => {
  const firstOf = (list: Parameters<typeof findUnread>[0]) => Object.values(findUnread(list, unread))
  assert.deepEqual(firstOf({ kind: 'topic', stream_id: streamId(12), topic: 'roses' }), [5, 2])
  assert.deepEqual(firstOf({ kind: 'stream', stream_id: streamId(12) }), [3, 3])
  assert.deepEqual(firstOf({ kind: 'private', user_ids: [9, 7].map(userId) }), [6, 2])
  assert.deepEqual(firstOf({ kind: 'all private' }), [2, 3])
  assert.deepEqual(firstOf({ kind: 'all' }), [2, 6])
  assert.deepEqual(firstOf({ kind: 'mentions' }), [7, 2])
  assert.deepEqual(firstOf({ kind: 'followed' }), [3, 1])
  assert.deepEqual(firstOf({ kind: 'starred' }), [undefined, 0])
})
