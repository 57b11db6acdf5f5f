import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from './bounded-cache.ts'

test('a bounded cache evicts its oldest entry, and setting a key again makes it the newest', () => {
  const cache = new BoundedCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)

  assert.deepEqual(cache.set('c', 4), ['b', 2])

  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [3, undefined, 4, 2])
  assert.deepEqual(
    [...cache],
    [
      ['a', 3],
      ['c', 4],
    ],
  )
})

test('getOrMake makes a value once, and again after it was evicted', () => {
  const cache = new BoundedCache<string, string>(1)
  let made = 0
  const make = () => `value ${++made}`

  assert.deepEqual([cache.getOrMake('a', make), cache.getOrMake('a', make)], ['value 1', 'value 1'])
  assert.deepEqual([cache.getOrMake('b', make), cache.getOrMake('a', make)], ['value 2', 'value 3'])
})
