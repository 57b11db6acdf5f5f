import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesce } from './coalesce.ts'
import type { Db } from './database.ts'

const db = {} as Db

test('concurrent calls share one statement, and each gets its own row', async () => {
  const batches: number[][] = []
  const find = coalesce<number, string>(async (_db, keys) => {
    batches.push(keys)
    return keys.map((key) => (key === 2 ? undefined : `row ${key}`))
  })

  const rows = await Promise.all([find(db, 1), find(db, 2), find(db, 3)])

  assert.deepEqual(rows, ['row 1', undefined, 'row 3'])
  assert.deepEqual(batches, [[1, 2, 3]])
})

test('a call made while a statement runs is served by a later statement', async () => {
  let storedValue = 'old'
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const find = coalesce<number, string>(async (_db, keys) => {
    const read = storedValue
    started.resolve()
    await finish.promise
    return keys.map(() => read)
  })

  const early = find(db, 1)
  await started.promise
  storedValue = 'new'
  const late = find(db, 1)
  finish.resolve()

  assert.deepEqual(await Promise.all([early, late]), ['old', 'new'])
})

test('a failed statement rejects only the calls that shared it', async () => {
  let fails = true
  const find = coalesce<number, string>(async (_db, keys) => {
    if (fails) throw new Error('broken')
    return keys.map(String)
  })

  await assert.rejects(find(db, 1), /broken/)
  fails = false
  assert.equal(await find(db, 1), '1')
})

test('keys that do not fit into one statement are split over several statements', async () => {
  const sizes: number[] = []
  const find = coalesce<number, number>(async (_db, keys) => {
    sizes.push(keys.length)
    return keys
  })

  const rows = await Promise.all(Array.from({ length: 1_200 }, (_, key) => find(db, key)))

  assert.deepEqual(
    rows,
    Array.from({ length: 1_200 }, (_, key) => key),
  )
  assert.deepEqual(sizes, [500, 500, 200])
})
