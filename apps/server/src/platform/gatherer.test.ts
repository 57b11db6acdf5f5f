import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gatherer } from './gatherer.ts'

interface Note {
  key: string
  text: string
}

interface Given {
  every?: number
  maxItems?: number
  fail?: (notes: Note[]) => string | undefined | false
}

/** A failure is temporary if its text begins with "later". */
function gather({ every = 5, maxItems = 100, fail = () => undefined }: Given = {}) {
  const writings: string[][] = []
  const reported: string[] = []
  const gatherer = new Gatherer<Note>({
    every,
    maxItems,
    keyOf: ({ key }) => key,
    fold: (earlier, later) => ({ key: later.key, text: `${earlier.text} ${later.text}` }),
    write: async (notes) => {
      const reason = fail(notes)
      if (reason) throw new Error(reason)
      writings.push(notes.map(({ text }) => text))
    },
    isTemporary: (error) => (error as Error).message.startsWith('later'),
    onFailed: (error, lost) => reported.push(`${(error as Error).message}, ${lost} lost`),
    onWritten: () => reported.push('written'),
  })
  return { gatherer, writings, reported }
}

test('what comes together is written together, and what has the same key is folded', async () => {
  const { gatherer, writings } = gather()

  gatherer.add({ key: 'a', text: 'one' })
  gatherer.add({ key: 'b', text: 'two' })
  await gatherer.add({ key: 'a', text: 'three' })

  assert.deepEqual(writings, [['one three', 'two']])
})

test('a lone note is written at once, the next ones after a pause', async () => {
  const { gatherer, writings } = gather({ every: 3_600_000 })
  await gatherer.add({ key: 'a', text: 'one' })

  gatherer.add({ key: 'a', text: 'two' })
  gatherer.add({ key: 'b', text: 'three' })

  assert.deepEqual(writings, [['one']])
  await gatherer.finish()
  assert.deepEqual(writings, [['one'], ['two', 'three']])
})

test('what could not be written for a temporary reason is written with what came after it', async () => {
  let failures = 1
  const { gatherer, writings, reported } = gather({ fail: () => failures-- > 0 && 'later' })

  const first = gatherer.add({ key: 'a', text: 'one' })
  await assert.rejects(first, /later/)
  await gatherer.add({ key: 'a', text: 'two' })

  assert.deepEqual(writings, [['one two']])
  assert.deepEqual(reported, ['later, 0 lost', 'written'])
})

test('a temporary failure that nobody waits for is retried', async () => {
  let failures = 3
  const { gatherer, writings } = gather({ every: 1, fail: () => failures-- > 0 && 'later' })

  gatherer.add({ key: 'a', text: 'one' })
  while (writings.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  assert.deepEqual(writings, [['one']])
})

test('an item that can never be written is dropped, and the items beside it are written', async () => {
  const { gatherer, writings, reported } = gather({
    fail: (notes) => notes.some(({ text }) => text === 'bad') && 'never',
  })
  const notes = ['one', 'two', 'bad', 'three', 'four'].map((text) => ({ key: text, text }))

  const outcomes = await Promise.allSettled(notes.map((note) => gatherer.add(note)))

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(writings.flat().sort(), ['four', 'one', 'three', 'two'])
  assert.ok(reported.includes('never, 1 lost'))
  await gatherer.add({ key: 'one', text: 'five' })
  assert.deepEqual(writings.at(-1), ['five'])
})

test('where nothing can be written, the number of tries is bounded', async () => {
  let tries = 0
  const { gatherer } = gather({
    maxItems: 10_000,
    fail: () => {
      tries++
      return 'never'
    },
  })
  const all = Array.from({ length: 5_000 }, (_, key) => gatherer.add({ key: String(key), text: 'x' }))

  const outcomes = await Promise.allSettled(all)

  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.ok(tries < 200, `${tries} tries`)
})

test('what waits during a temporary failure is bounded; the oldest items are dropped and counted', async () => {
  let isAway = true
  const { gatherer, writings, reported } = gather({ every: 1, maxItems: 3, fail: () => isAway && 'later' })
  for (const key of ['a', 'b', 'c']) gatherer.add({ key, text: key })
  await new Promise<void>((resolve) => {
    const look = () => (reported.length > 0 ? resolve() : setTimeout(look, 1))
    look()
  })

  for (const key of ['d', 'e']) gatherer.add({ key, text: key })
  isAway = false
  while (writings.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  assert.deepEqual(writings.flat().sort(), ['c', 'd', 'e'])
})

test('a batch of which only a part is written does not end the failure', async () => {
  const { gatherer, writings, reported } = gather({
    fail: (notes) => notes.some(({ key }) => key === 'bad') && 'never',
  })

  const bad = gatherer.add({ key: 'bad', text: 'one' })
  const good = gatherer.add({ key: 'good', text: 'two' })
  await Promise.allSettled([bad, good])

  assert.deepEqual(writings, [['two']])
  assert.deepEqual(reported, ['never, 1 lost'])
})
