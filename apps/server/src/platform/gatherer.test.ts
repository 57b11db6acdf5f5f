import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gatherer } from './gatherer.ts'

interface Note {
  key: string
  text: string
}

function gather({ every = 5, fail = () => false }: { every?: number; fail?: () => boolean } = {}) {
  const writings: string[][] = []
  const gatherer = new Gatherer<Note>({
    every,
    keyOf: ({ key }) => key,
    fold: (earlier, later) => ({ key: later.key, text: `${earlier.text} ${later.text}` }),
    write: async (notes) => {
      if (fail()) throw new Error('not now')
      writings.push(notes.map(({ text }) => text))
    },
  })
  return { gatherer, writings }
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

test('what could not be written is written with what came after it', async () => {
  let failures = 1
  const { gatherer, writings } = gather({ fail: () => failures-- > 0 })

  const first = gatherer.add({ key: 'a', text: 'one' })
  await assert.rejects(first, /not now/)
  await gatherer.add({ key: 'a', text: 'two' })

  assert.deepEqual(writings, [['one two']])
})

test('a failure that nobody waits for ends nothing', async () => {
  let failures = 3
  const { gatherer, writings } = gather({ every: 1, fail: () => failures-- > 0 })

  gatherer.add({ key: 'a', text: 'one' })
  while (writings.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))

  assert.deepEqual(writings, [['one']])
})
