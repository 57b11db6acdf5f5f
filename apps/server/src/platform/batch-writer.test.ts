import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchWriter } from './batch-writer.ts'

interface Note {
  key: string
  text: string
}

interface WriterOptions {
  intervalMs?: number
  maxItems?: number
  fail?: (notes: Note[]) => string | undefined | false
}

/** Makes a writer for tests. A failure is temporary if its text begins with "later". */
function makeWriter({ intervalMs = 5, maxItems = 100, fail = () => undefined }: WriterOptions = {}) {
  const writes: string[][] = []
  const reported: string[] = []
  const writer = new BatchWriter<Note>({
    intervalMs,
    maxItems,
    keyOf: ({ key }) => key,
    merge: (earlier, later) => ({ key: later.key, text: `${earlier.text} ${later.text}` }),
    write: async (notes) => {
      const reason = fail(notes)
      if (reason) throw new Error(reason)
      writes.push(notes.map(({ text }) => text))
    },
    isTemporary: (error) => (error as Error).message.startsWith('later'),
    onFailed: (error, lost) => reported.push(`${(error as Error).message}, ${lost} lost`),
    onWritten: () => reported.push('written'),
  })
  return { writer, writes, reported }
}

test('concurrent items are written together, and items with the same key are merged', async () => {
  const { writer, writes } = makeWriter()

  void writer.add({ key: 'a', text: 'one' })
  void writer.add({ key: 'b', text: 'two' })
  await writer.add({ key: 'a', text: 'three' })

  assert.deepEqual(writes, [['one three', 'two']])
})

test('a single item is written at once, and further items after the interval', async () => {
  const { writer, writes } = makeWriter({ intervalMs: 3_600_000 })
  await writer.add({ key: 'a', text: 'one' })

  void writer.add({ key: 'a', text: 'two' })
  void writer.add({ key: 'b', text: 'three' })

  assert.deepEqual(writes, [['one']])
  await writer.finish()
  assert.deepEqual(writes, [['one'], ['two', 'three']])
})

test('items of a temporarily failed write are written together with newer items', async () => {
  let failures = 1
  const { writer, writes, reported } = makeWriter({ fail: () => failures-- > 0 && 'later' })

  const first = writer.add({ key: 'a', text: 'one' })
  await assert.rejects(first, /later/)
  await writer.add({ key: 'a', text: 'two' })

  assert.deepEqual(writes, [['one two']])
  assert.deepEqual(reported, ['later, 0 lost', 'written'])
})

test('a temporary failure is retried even if no caller waits', async () => {
  let failures = 3
  const { writer, writes } = makeWriter({ intervalMs: 1, fail: () => failures-- > 0 && 'later' })

  void writer.add({ key: 'a', text: 'one' })
  while (writes.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  assert.deepEqual(writes, [['one']])
})

test('an item that can never be written is dropped, and the other items of its batch are written', async () => {
  const { writer, writes, reported } = makeWriter({
    fail: (notes) => notes.some(({ text }) => text === 'bad') && 'never',
  })
  const notes = ['one', 'two', 'bad', 'three', 'four'].map((text) => ({ key: text, text }))

  const outcomes = await Promise.allSettled(notes.map((note) => writer.add(note)))

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(writes.flat().sort(), ['four', 'one', 'three', 'two'])
  assert.ok(reported.includes('never, 1 lost'))
  await writer.add({ key: 'one', text: 'five' })
  assert.deepEqual(writes.at(-1), ['five'])
})

test('the number of attempts is bounded if no item can be written', async () => {
  let tries = 0
  const { writer } = makeWriter({
    maxItems: 10_000,
    fail: () => {
      tries++
      return 'never'
    },
  })
  const all = Array.from({ length: 5_000 }, (_, key) => writer.add({ key: String(key), text: 'x' }))

  const outcomes = await Promise.allSettled(all)

  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.ok(tries < 200, `${tries} tries`)
})

test('the number of waiting items is bounded during a failure, and the oldest are dropped and counted', async () => {
  let isUnavailable = true
  const { writer, writes, reported } = makeWriter({
    intervalMs: 1,
    maxItems: 3,
    fail: () => isUnavailable && 'later',
  })
  for (const key of ['a', 'b', 'c']) void writer.add({ key, text: key })
  await new Promise<void>((resolve) => {
    const checkReported = () => (reported.length > 0 ? resolve() : setTimeout(checkReported, 1))
    checkReported()
  })

  for (const key of ['d', 'e']) void writer.add({ key, text: key })
  isUnavailable = false
  while (writes.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  assert.deepEqual(writes.flat().sort(), ['c', 'd', 'e'])
})

test('a partly written batch does not count as recovery', async () => {
  const { writer, writes, reported } = makeWriter({
    fail: (notes) => notes.some(({ key }) => key === 'bad') && 'never',
  })

  const bad = writer.add({ key: 'bad', text: 'one' })
  const good = writer.add({ key: 'good', text: 'two' })
  await Promise.allSettled([bad, good])

  assert.deepEqual(writes, [['two']])
  assert.deepEqual(reported, ['never, 1 lost'])
})
