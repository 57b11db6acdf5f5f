import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MergeSort } from '../src/pipeline/merge-sort.ts'
import { collect } from '../src/pipeline/team.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-sort-'))
after(() => rmSync(directory, { recursive: true, force: true }))

test('records of several runs come back in the order of their keys, also after the process ended', async () => {
  const folder = join(directory, 'sort')
  const count = 120_000
  const sort = await new MergeSort<{ index: number }>(folder).begin()
  for (let index = 0; index < count; index++) {
    const key = String((index * 7_919) % count).padStart(8, '0')
    await sort.add(key, { index })
  }
  await sort.finish()
  for (const reader of [sort, await new MergeSort<{ index: number }>(folder).reopen()]) {
    const keys = (await collect(reader.read())).map(({ key }) => Number(key))
    assert.deepEqual(
      keys,
      Array.from({ length: count }, (_, index) => index),
    )
  }
})
