import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NameIndex } from './name-index.ts'

function rank(name: string, query: string): number | undefined {
  // The name is between others, because all names are searched as one text.
  const index = new NameIndex(['Xaver', name, 'Xenia Xu'], (each) => each)
  index.prepare(Number.POSITIVE_INFINITY)
  return index.find(query, 3).find(({ item }) => item === name)?.rank
}

test('names are ranked by prefix, word and initials, and last if they only contain the query', () => {
  const cases: [name: string, query: string, rank: number | undefined][] = [
    ['roses', 'ros', 0],
    ['roses-and-shrubs', 'roses and', 0],
    ['garden › roses', 'ros', 1],
    ['climbing roses', 'ros', 1],
    ['prose, roses', 'ros', 1],
    ['Iris Gardener', 'ig', 2],
    ['Iris Marie Gardener', 'img', 2],
    ['garden › roses', 'gar ros', 2],
    ['Iris Gardener', 'gard iris', 2],
    ['prose for the card', 'ros', 3],
    ['Iris Gardener', 'igx', undefined],
    ['Iris Gardener', 'g r', undefined],
    ['Otto', 'i', undefined],
    ['Søren Ærø', 'søren', 0],
    ['Élise Dupont', 'eli', 0],
    ['数据服务', '数据', 0],
    ['新数据服务', '数据', 3],
  ]
  for (const [name, query, expected] of cases) assert.equal(rank(name, query), expected, `${name}: ${query}`)
})

const namesIn = (names: string[]) => {
  const index = new NameIndex(names, (name) => name)
  index.prepare(Number.POSITIVE_INFINITY)
  return (query: string, max = 10, tierOf?: (name: string) => number) =>
    index.find(query, max, tierOf).map(({ item }) => item)
}

test('close matches come before loose ones in any tier, and equally close ones are ordered by tier', () => {
  const find = namesIn(['prose', 'primrose garden', 'rose garden', 'roses', 'old roses'])
  const tierOf = (name: string) => (name === 'roses' ? 1 : 0)
  assert.deepEqual(find('rose', 10, tierOf), [
    'rose garden',
    'old roses',
    'roses',
    'prose',
    'primrose garden',
  ])
  assert.deepEqual(find('roses', 10), ['roses', 'old roses'])
})

test('an accent in the query must match, and other accents of names are ignored', () => {
  const find = namesIn(['schon', 'schön', 'Schönbrunn'])
  assert.deepEqual(find('schon'), ['schon', 'schön', 'Schönbrunn'])
  assert.deepEqual(find('schön'), ['schön', 'Schönbrunn'])
})

test('the number of matches is limited, and an incomplete index finds the names that it has folded', () => {
  const names = Array.from({ length: 2_000 }, (_, place) => `stream ${place}`)
  const index = new NameIndex(names, (name) => name)
  assert.deepEqual(index.find('stream', 3), [])
  index.prepare(0)
  assert.equal(index.isReady, false)
  assert.equal(index.find('stream', 3).length, 3)
  index.prepare(Number.POSITIVE_INFINITY)
  assert.deepEqual(
    index.find('1999', 3).map(({ item }) => item),
    ['stream 1999'],
  )
})

test('a filter keeps all matches in the order of the items', () => {
  const index = new NameIndex(['Rosa', 'Otto', 'Ambrose', 'Rosa Maria', 'os a'], (name) => name)
  index.prepare(Number.POSITIVE_INFINITY)
  assert.deepEqual(index.filter('ros'), ['Rosa', 'Ambrose', 'Rosa Maria'])
  assert.deepEqual(index.filter('r'), ['Rosa', 'Rosa Maria'])
  assert.deepEqual(index.filter('rm'), ['Rosa Maria'])
  assert.deepEqual(index.filter('').length, 5)
})
