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

/** A failure is temporary if its text begins with "later". */
function makeWriter({ intervalMs = 5, maxItems = 100, fail = () => undefined }: WriterOptions = {}) {
  const writings: string[][] = []
  const reported: string[] = []
  const writer = new BatchWriter<Note>({
    intervalMs,
    maxItems,
    keyOf: ({ key }) => key,
    merge: (earlier, later) => ({ key: later.key, text: `${earlier.text} ${later.text}` }),
    write: async (notes) => {
      const reason = fail(notes)
      if (reason) throw new Error(reason)
      writings.push(notes.map(({ text }) => text))
    },
    isTemporary: (error) => (error as Error).message.startsWith('later'),
    onFailed: (error, lost) => reported.push(`${(error as Error).message}, ${lost} lost`),
    onWritten: () => reported.push('written'),
  })
  return { writer, writings, reported }
}

test('concurrent items are written together, and items with the same key are merged', async () => {
  const { writer, writings } = makeWriter()

  void writer.add({ key: 'a', text: 'one' })
  void writer.add({ key: 'b', text: 'two' })
  await writer.add({ key: 'a', text: 'three' })

  assert.deepEqual(writings, [['one three', 'two']])
})

test('a single item is written at once, and further ones after the interval', async () => {
  const { writer, writings } = makeWriter({ intervalMs: 3_600_000 })
  await writer.add({ key: 'a', text: 'one' })

  void writer.add({ key: 'a', text: 'two' })
  void writer.add({ key: 'b', text: 'three' })

  assert.deepEqual(writings, [['one']])
  await writer.finish()
  assert.deepEqual(writings, [['one'], ['two', 'three']])
})

test('items of a temporarily failed write are written with newer ones', async () => {
  let failures = 1
  const { writer, writings, reported } = makeWriter({ fail: () => failures-- > 0 && 'later' })

  const first = writer.add({ key: 'a', text: 'one' })
  await assert.rejects(first, /later/)
  await writer.add({ key: 'a', text: 'two' })

  assert.deepEqual(writings, [['one two']])
  assert.deepEqual(reported, ['later, 0 lost', 'written'])
})

test('a temporary failure is retried without waiting callers', async () => {
  let failures = 3
  const { writer, writings } = makeWriter({ intervalMs: 1, fail: () => failures-- > 0 && 'later' })

  void writer.add({ key: 'a', text: 'one' })
  while (writings.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  assert.deepEqual(writings, [['one']])
})

test('an item that can never be written is dropped, and the other items of its batch are written', async () => {
  const { writer, writings, reported } = makeWriter({
    fail: (notes) => notes.some(({ text }) => text === 'bad') && 'never',
  })
  const notes = ['one', 'two', 'bad', 'three', 'four'].map((text) => ({ key: text, text }))

  const outcomes = await Promise.allSettled(notes.map((note) => writer.add(note)))

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(writings.flat().sort(), ['four', 'one', 'three', 'two'])
  assert.ok(reported.includes('never, 1 lost'))
  await writer.add({ key: 'one', text: 'five' })
  assert.deepEqual(writings.at(-1), ['five'])
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

test('waiting items are bounded during a failure, and the oldest are dropped and counted', async () => {
  let isAway = true
  const { writer, writings, reported } = makeWriter({
    intervalMs: 1,
    maxItems: 3,
    fail: () => isAway && 'later',
  })
  for (const key of ['a', 'b', 'c']) void writer.add({ key, text: key })
  await new Promise<void>((resolve) => {
    const checkReported = () => (reported.length > 0 ? resolve() : setTimeout(checkReported, 1))
    checkReported()
  })

  for (const key of ['d', 'e']) void writer.add({ key, text: key })
  isAway = false
  while (writings.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  assert.deepEqual(writings.flat().sort(), ['c', 'd', 'e'])
})

test('a partly written batch does not count as recovery', async () => {
  const { writer, writings, reported } = makeWriter({
    fail: (notes) => notes.some(({ key }) => key === 'bad') && 'never',
  })

  const bad = writer.add({ key: 'bad', text: 'one' })
  const good = writer.add({ key: 'good', text: 'two' })
  await Promise.allSettled([bad, good])

  assert.deepEqual(writings, [['two']])
  assert.deepEqual(reported, ['never, 1 lost'])
})
