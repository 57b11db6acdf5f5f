import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { messageId, streamId, userId } from '../../../test/ids.ts'
import { parseHash, writeHash } from './hash.ts'
import { findConversation, pages, privateRoute, type Route, streamRoute, topicRoute } from './route.ts'

const text = fc.string({ unit: 'binary', maxLength: 60 })
const name = text.filter((each) => !each.includes(' '))
const id = fc.integer({ min: 1, max: 2 ** 31 })

test('10,000 topics, stream names and search texts are unchanged after encoding and parsing a URL', () => {
  fc.assert(
    fc.property(id.map(streamId), name, text, (stream_id, streamName, topic) => {
      const hash = writeHash(topicRoute({ stream_id, name: streamName }, topic))
      // A browser must keep the fragment byte for byte.
      assert.equal(new URL(hash, 'https://chat.example/').hash, hash)
      assert.deepEqual(parseHash(hash), topicRoute({ stream_id, name: streamName }, topic))
    }),
    { numRuns: 10_000 },
  )
})

test("people's names with any characters are unchanged after encoding and parsing a URL", () => {
  fc.assert(
    fc.property(fc.array(id.map(userId), { minLength: 1, maxLength: 5 }), name, (user_ids, label) => {
      const route = privateRoute(user_ids, label)
      assert.deepEqual(parseHash(writeHash(route)), route)
    }),
    { numRuns: 1_000 },
  )
})

test('fragments have the form that existing messages and other clients use', () => {
  const garden = { stream_id: streamId(12), name: 'garden club' }
  const written: [Route, string][] = [
    [{ view: 'home' }, ''],
    [streamRoute(garden), '#narrow/stream/12-garden-club'],
    [
      topicRoute(garden, 'roses & co.', { near: messageId(8123) }),
      '#narrow/stream/12-garden-club/topic/roses.20.26.20co.2E/near/8123',
    ],
    [privateRoute([7, 9].map(userId), 'group'), '#narrow/pm-with/7,9-group'],
    [{ view: 'topics', stream: garden }, '#topics/stream/12-garden-club'],
    [
      { view: 'stream', stream_id: streamId(12), name: 'garden', page: 'members' },
      '#streams/12/garden/members',
    ],
    [{ view: 'bot', user_id: userId(44), page: 'url' }, '#bots/44/url'],
  ]
  for (const [route, hash] of written) assert.equal(writeHash(route), hash)
})

test('every view is unchanged after encoding and parsing a URL', () => {
  const routes: Route[] = [
    ...(
      ['home', 'inbox', 'recent', 'drafts', 'scheduled', 'people', 'groups', 'settings', 'search'] as const
    ).map((view) => ({
      view,
    })),
    ...pages.streams.map((page) => ({ view: 'streams' as const, page })),
    ...pages.stream.map((page) => ({ view: 'stream' as const, stream_id: streamId(3), name: 'a/b', page })),
    ...pages.settings.map((page) => ({ view: 'settings' as const, page })),
    ...pages.organization.map((page) => ({ view: 'organization' as const, page })),
    ...pages.bot.map((page) => ({ view: 'bot' as const, user_id: userId(3), page })),
    ...pages.help.map((page) => ({ view: 'help' as const, page })),
    { view: 'person', user_id: userId(7) },
    { view: 'group', group_id: 3 },
    {
      view: 'narrow',
      terms: [
        { operator: 'is', operand: 'starred' },
        { operator: 'search', operand: 'a/b.c "d"', negated: true },
        { operator: 'sender', operand: { user_ids: [7].map(userId), label: 'Iris' } },
      ],
      at: { date: '2026-03-01' },
    },
  ]
  for (const route of routes) assert.deepEqual(parseHash(writeHash(route)), route)
})

test('links of older clients are read, and written in the current form', () => {
  const replaced: [string, string][] = [
    ['#narrow/channel/12-garden/subject/roses', '#narrow/stream/12-garden/topic/roses'],
    ['#narrow/dm/7-iris', '#narrow/pm-with/7-iris'],
    ['#narrow/is/dm', '#narrow/is/private'],
    ['#narrow/stream/12-garden/topic/roses/with/5', '#narrow/stream/12-garden/topic/roses/near/5'],
    ['#recent_topics', '#recent'],
    ['#all_messages', '#narrow/in/home'],
    ['#channels/all', '#streams/all'],
    ['#subscriptions/subscribed', '#streams/mine'],
    ['#settings/', '#settings'],
    ['#narrow/topic/a%20b', '#narrow/topic/a.20b'],
  ]
  for (const [old, present] of replaced) assert.equal(writeHash(parseHash(old)), present)
})

test('names and addresses in old links are read, to be resolved later', () => {
  assert.deepEqual(parseHash('#narrow/stream/garden/topic/roses'), {
    view: 'narrow',
    terms: [
      { operator: 'stream', operand: { name: 'garden' } },
      { operator: 'topic', operand: 'roses' },
    ],
    at: {},
  })
  assert.deepEqual(parseHash('#narrow/pm-with/iris.40garden.2Eexample'), {
    view: 'narrow',
    terms: [{ operator: 'pm-with', operand: { user_ids: [], label: 'iris@garden.example' } }],
    at: {},
  })
})

test('unknown fragments lead to the unknown view and never make the parser throw', () => {
  for (const hash of [
    '#nowhere',
    '#narrow',
    '#narrow/color/red',
    '#narrow/stream/12/near/x',
    '#narrow/topic/.ZZ',
    '#narrow/date/yesterday',
    '#people/iris',
    '#settings/none',
    '#bots/x',
    '#/inbox',
    '#narrow/constructor/x',
  ])
    assert.equal(parseHash(hash).view, 'unknown', hash)
  fc.assert(fc.property(text, (any) => void parseHash(any)))
})

test('a conversation is found only in views of exactly one topic or set of people', () => {
  const of = (hash: string) => findConversation(parseHash(hash))
  assert.deepEqual(of('#narrow/stream/12-garden/topic/roses/near/3'), {
    type: 'stream',
    stream_id: streamId(12),
    topic: 'roses',
  })
  assert.deepEqual(of('#narrow/pm-with/7,9-group'), { type: 'private', user_ids: [7, 9].map(userId) })
  for (const hash of [
    '#narrow/stream/12-garden',
    '#narrow/-stream/12-garden/topic/roses',
    '#narrow/stream/12-garden/topic/roses/search/x',
    '#narrow/is/private',
    '#inbox',
  ])
    assert.equal(of(hash), undefined, hash)
})
