import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamId } from '../../test/ids.ts'
import { chooseNextPrivate, chooseNextUnread, type UnreadConversation } from './next-unread.ts'

const topic = (stream_id: number, name: string, isMuted = false): UnreadConversation => ({
  key: `${stream_id} ${name}`,
  stream_id: streamId(stream_id),
  isMuted,
  oldestUnreadId: 1,
  route: { view: 'inbox' },
})
const people = (key: string, oldestUnreadId: number): UnreadConversation => ({
  key,
  stream_id: undefined,
  isMuted: false,
  oldestUnreadId,
  route: { view: 'inbox' },
})
const conversations = [
  topic(1, 'a'),
  topic(1, 'b'),
  topic(1, 'c'),
  topic(2, 'd', true),
  topic(3, 'e'),
  people('7', 90),
  people('8', 50),
]
const all = { conversations, openKey: undefined, openStream: undefined, skipped: new Set<string>() }

const cases: [string, string | undefined, Partial<typeof all> | object][] = [
  ['is in the first stream if no conversation is open', '1 a', {}],
  ['is the topic below the open one', '1 c', { openKey: '1 b', openStream: 1 }],
  ['is a topic above the open one if none is below', '1 a', { openKey: '1 c', openStream: 1 }],
  [
    'is in the next stream if the open stream has no other',
    '3 e',
    { openKey: '1 c', openStream: 1, conversations: [topic(1, 'c'), topic(3, 'e')] },
  ],
  ['is not a muted topic of another stream', '3 e', { conversations: conversations.slice(3) }],
  ['may be a muted topic of the open stream', '2 d', { openStream: 2 }],
  ['is a skipped one only after all others', '3 e', { skipped: new Set(['1 a', '1 b', '1 c']) }],
  ['is the longest unread private one if no topic is left', '8', { conversations: conversations.slice(5) }],
  [
    'does not exist if only the open conversation is unread',
    undefined,
    { openKey: '7', conversations: [people('7', 1)] },
  ],
]

for (const [title, key, options] of cases)
  test(`the next unread conversation ${title}`, () => {
    assert.equal(chooseNextUnread({ ...all, ...options })?.key, key)
  })

test('the next private conversation is the one that has been unread longest', () => {
  assert.equal(chooseNextPrivate(all)?.key, '8')
  assert.equal(chooseNextPrivate({ ...all, openKey: '8' })?.key, '7')
})
