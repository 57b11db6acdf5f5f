import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { NameSearch } from './name-search.ts'

test('a search reports when all names of a long list are searched', async () => {
  const names = Array.from({ length: 60_000 }, (_, index) => `Zoë Number ${index}`)
  const search = new NameSearch(
    () => names,
    (name) => name,
  )
  assert.equal(search.isComplete, false)
  search.prepare()
  assert.equal(search.isComplete, false)
  while (!search.isComplete) await setTimeout(1)
  assert.deepEqual(search.filter('number 59999'), ['Zoë Number 59999'])
})
