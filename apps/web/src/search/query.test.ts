import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamId, userId } from '../../test/ids.ts'
import { parseHash, writeHash } from '../client/route/hash.ts'
import type { Route } from '../client/route/route.ts'
import { readSearch, readTyped, routeOfSearch, splitTyped } from './query.ts'

const names = {
  findStream: (name: string) => (name === 'garden' ? { stream_id: streamId(12), name } : undefined),
  findPerson: (name: string) =>
    ({
      'Iris Gardener': { user_ids: [7].map(userId), label: name },
      otto: { user_ids: [8].map(userId), label: name },
    })[name],
}
const hashOf = (text: string) => writeHash(routeOfSearch(readTyped(text, names)))

test('typed operators become the terms of a narrow, and the other words are searched for', () => {
  const cases: [typed: string, hash: string][] = [
    ['pruned', '#narrow/search/pruned'],
    ['stream:garden has:image prune  wall', '#narrow/stream/12-garden/has/image/search/prune.20wall'],
    ['-stream:garden is:starred', '#narrow/-stream/12-garden/is/starred'],
    ['sender:"Iris Gardener" rose', '#narrow/sender/7-Iris-Gardener/search/rose'],
    ['from:otto', '#narrow/sender/8-otto'],
    ['pm-with:"Iris Gardener,otto"', '#narrow/pm-with/7,8-group'],
    ['topic:"south wall" "exact words"', '#narrow/topic/south.20wall/search/.22exact.20words.22'],
    ['is:dm', '#narrow/is/private'],
    ['streams:public frost', '#narrow/streams/public/search/frost'],
    ['date:2026-03-01 stream:garden', '#narrow/stream/12-garden/date/2026-03-01'],
    ['stream:garden stream:garden', '#narrow/stream/12-garden'],
    ['https://example.com/a:b 10:42', '#narrow/search/https.3A.2F.2Fexample.2Ecom.2Fa.3Ab.2010.3A42'],
    ['', '#search'],
  ]
  for (const [typed, hash] of cases) assert.equal(hashOf(typed), hash, typed)
})

test('operands that match nothing stay in the text and are reported', () => {
  for (const typed of [
    'stream:gartn',
    'sender:nobody',
    'pm-with:otto,nobody',
    'is:green',
    'has:teeth',
    'streams:private',
    'date:2026-02-30',
    'date:soon',
    'topic:',
  ]) {
    const { chips, text, wrong } = readTyped(`${typed} word`, names)
    assert.deepEqual([chips, text, wrong.map((token) => token.text)], [[], `${typed} word`, [typed]], typed)
  }
})

test('the search of a route is unchanged after writing and reading it', () => {
  const hash = '#narrow/stream/12-garden/-has/link/sender/7-Iris/search/a.20b/date/2026-03-01'
  const route = parseHash(hash) as Extract<Route, { view: 'narrow' }>
  const query = readSearch(route)
  assert.equal(query.text, 'a b')
  assert.deepEqual(
    query.chips.map(({ operator }) => operator),
    ['stream', 'has', 'sender', 'date'],
  )
  assert.equal(writeHash(routeOfSearch(query)), hash)
})

test('a typed text is split into words, operators and their positions', () => {
  assert.deepEqual(splitTyped('a stream:"south w'), [
    { text: 'a', start: 0 },
    { text: 'stream:"south w', start: 2, operator: 'stream', isNegated: false, operand: 'south w' },
  ])
})
