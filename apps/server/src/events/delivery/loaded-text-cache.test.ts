import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Loaded } from '../event-shape.ts'
import { LoadedTextCache } from './loaded-text-cache.ts'

const kilobyte = 1_000
const textOf = (kilobytes: number): Loaded => new Map([[1, 'x'.repeat(kilobytes * kilobyte)]])

/** Makes a cache, and counts how often each text is loaded. */
function makeCountedCache(kilobytes: number) {
  const texts = new LoadedTextCache(kilobytes * kilobyte)
  const counts: Record<string, number> = {}
  const get = (key: string, size: number) =>
    texts.get(key, async () => {
      counts[key] = (counts[key] ?? 0) + 1
      return textOf(size)
    })
  return { texts, get, counts }
}

test('a cached text is returned without a promise', async () => {
  const { get, counts } = makeCountedCache(10)

  const [first, second] = [get('a', 1), get('a', 1)]

  assert.equal(first, second)
  assert.deepEqual(await first, textOf(1))
  assert.deepEqual(get('a', 1), textOf(1))
  assert.deepEqual(counts, { a: 1 })
})

test('the oldest entries are evicted when the bytes exceed the limit', async () => {
  const { get, counts } = makeCountedCache(10)
  for (const key of ['a', 'b', 'c']) await get(key, 2)

  await get('d', 5)

  // The four texts together have 11 kB, so the oldest was evicted.
  for (const key of ['b', 'c', 'd']) assert.ok(!(get(key, 2) instanceof Promise), key)
  assert.ok(get('a', 2) instanceof Promise)
  assert.deepEqual(counts, { a: 2, b: 1, c: 1, d: 1 })
})

test('the limit counts bytes, not characters', async () => {
  const texts = new LoadedTextCache(10 * kilobyte)
  const wide = new Map([[1, '木'.repeat(4 * kilobyte)]])

  await texts.get('wide', async () => wide)

  assert.ok(texts.get('wide', async () => wide) instanceof Promise)
})

test('a text larger than the limit is returned to its callers and evicts nothing', async () => {
  const { get, counts } = makeCountedCache(10)
  await get('small', 1)

  const waiting = [get('huge', 20), get('huge', 20)]

  for (const loaded of waiting) assert.deepEqual(await loaded, textOf(20))
  assert.deepEqual(counts, { small: 1, huge: 1 })
  assert.ok(!(get('small', 1) instanceof Promise))
  assert.ok(get('huge', 20) instanceof Promise)
})

test('a failed load rejects for all callers, and the next call retries', async () => {
  const texts = new LoadedTextCache(kilobyte)
  const fail = () => Promise.reject(new Error('away'))

  const waiting = [texts.get('a', fail), texts.get('a', fail)]

  for (const failed of waiting) await assert.rejects(async () => failed, /away/)
  assert.deepEqual(await texts.get('a', async () => textOf(0)), textOf(0))
})

test('neither an undefined result nor a thrown error is cached', () => {
  const { texts, get } = makeCountedCache(10)

  assert.equal(
    texts.get('a', () => undefined),
    undefined,
  )
  assert.throws(() =>
    texts.get('a', () => {
      throw new Error('a mistake')
    }),
  )
  assert.ok(get('a', 1) instanceof Promise)
})
