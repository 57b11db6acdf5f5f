import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { measureBundle } from '../scripts/bundle-size.ts'

test('a browser loads less than 60 KB at once, and each of the two engines only when it is needed', async (t) => {
  const { entry, lazy } = await measureBundle()

  t.diagnostic(`${entry} bytes gzipped`)
  assert.ok(entry < 60 * 1024, `${entry} bytes`)
  assert.ok(lazy.some(({ name }) => name.includes('katex')))
  assert.ok(lazy.some(({ name }) => name.includes('highlight.js') && name.includes('core')))
  assert.ok(lazy.some(({ name }) => name.endsWith('python.js')))
})

test('the package uses no Node-only modules or globals', async () => {
  const root = new URL('../src/', import.meta.url)
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'))
  assert.ok(files.length > 50)

  for (const name of files) {
    const source = await readFile(new URL(name, root), 'utf8')
    assert.doesNotMatch(source, /from 'node:|\bprocess\.|\bBuffer\b|require\(/, name)
  }
})
