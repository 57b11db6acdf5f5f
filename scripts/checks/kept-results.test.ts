import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { KeptResults, keyOf } from './kept-results.ts'

const folder = mkdtempSync(join(tmpdir(), 'oxbow-kept-'))
after(() => rmSync(folder, { recursive: true }))
const open = () => new KeptResults<string[]>('results', { maxEntries: 2, folder })

test('results are found again after they were saved, and then need no work', () => {
  const kept = open()
  assert.deepEqual(
    kept.compute('a', () => ['slow']),
    ['slow'],
  )
  kept.save()

  assert.deepEqual(
    open().compute('a', () => assert.fail('the result was kept')),
    ['slow'],
  )
  assert.equal(open().find('b'), undefined)
})

test('only the entries that were used last are kept', () => {
  const kept = open()
  for (const key of ['a', 'b', 'c']) kept.set(key, [key])
  kept.find('b')
  kept.set('a', ['again'])
  kept.save()

  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => open().find(key)),
    [['again'], ['b'], undefined],
  )
})

test('a damaged file of results counts as empty, and is replaced', () => {
  writeFileSync(join(folder, 'results.json'), '[["a"')
  const kept = open()
  assert.equal(kept.find('a'), undefined)
  kept.set('a', [])
  kept.save()
  assert.deepEqual(open().find('a'), [])
})

test('keys differ if a character moves from one part to the next one', () => {
  assert.notEqual(keyOf('ab', 'c'), keyOf('a', 'bc'))
  assert.equal(keyOf('ab', 'c'), keyOf('ab', 'c'))
})
