import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from './bundle-for-browser.ts'

const maxBytes = 18 * 1024

test('the browser entry is at most 18 KB gzipped and contains no zod', async (t) => {
  const bundle = await bundleForBrowser("export * from '@oxbow/sdk/browser'")

  const size = gzipSync(bundle, { level: 9 }).length
  t.diagnostic(`${size} bytes gzipped, ${bundle.length} characters`)
  assert.ok(size <= maxBytes, `${size} bytes`)
  assert.doesNotMatch(bundle, /ZodError/)
})

test('the entry for widgets contains no zod', async () => {
  const bundle = await bundleForBrowser("export * from '@oxbow/sdk/widgets'")

  assert.doesNotMatch(bundle, /ZodError/)
})

test('the check for zod finds it where it is imported', async () => {
  const bundle = await bundleForBrowser("export { createClient } from '@oxbow/sdk'")

  assert.match(bundle, /ZodError/)
})
