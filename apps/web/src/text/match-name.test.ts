import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBest, matchName, noMatch } from './match-name.ts'

const cases: [string, string, number][] = [
  ['Iris Gardener', 'iri', 0],
  ['Iris Gardener', 'iris g', 0],
  ['Iris Gardener', 'gard', 1],
  ['Iris Gardener', 'ig', 2],
  ['Iris Gardener', 'ener', 3],
  ['Iris Gardener', 'x', noMatch],
  ['Jürgen Öz', 'jurgen', 0],
  ['Jürgen Öz', 'oz', 1],
  ['Jurgen Oz', 'jürgen', noMatch],
  ['Jürgen Öz', 'jür', 0],
  ['core-team', 'team', 1],
]

for (const [name, query, rank] of cases)
  test(`the query ${query} ranks ${name} at ${rank}`, () => assert.equal(matchName(name, query), rank))

const people = [
  { name: 'Ada Moss', tier: 2 },
  { name: 'Moss Tanner', tier: 1 },
  { name: 'Gus Moss', tier: 0 },
  { name: 'Thomas Ossmo', tier: 0 },
]
const find = (query: string) =>
  findBest(people, query, 3, { namesOf: ({ name }) => [name], tierOf: ({ tier }) => tier }).map(
    ({ name }) => name,
  )

test('people of an earlier tier come first, and names that only contain the query last', () => {
  assert.deepEqual(find('moss'), ['Gus Moss', 'Moss Tanner', 'Ada Moss'])
  assert.deepEqual(find('oss'), ['Thomas Ossmo', 'Gus Moss', 'Moss Tanner'])
  assert.deepEqual(find(''), ['Gus Moss', 'Thomas Ossmo', 'Moss Tanner'])
})
