import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from './bundle-for-browser.ts'

// Together, the entry and the windows are at most 24.35 KB.
const maxBytes = 17.75 * 1024
const maxWindowBytes = 6.6 * 1024

test('the browser entry is at most 17.75 KB gzipped and contains no zod', async (t) => {
  const bundle = await bundleForBrowser("export * from '@oxbow/sdk/browser'")

  const size = gzipSync(bundle, { level: 9 }).length
  t.diagnostic(`${size} bytes gzipped, ${bundle.length} characters`)
  assert.ok(size <= maxBytes, `${size} bytes`)
  assert.doesNotMatch(bundle, /ZodError/)
})

test('windows add at most 6.6 KB gzipped to the browser entry, and contain no zod', async (t) => {
  const entry = "export * from '@oxbow/sdk/browser'"
  const withWindows = await bundleForBrowser(`${entry}\nexport * from '@oxbow/sdk/windows'`)

  const size = (bundle: string) => gzipSync(bundle, { level: 9 }).length
  const added = size(withWindows) - size(await bundleForBrowser(entry))
  t.diagnostic(`${added} bytes gzipped`)
  assert.ok(added <= maxWindowBytes, `${added} bytes`)
  assert.doesNotMatch(withWindows, /ZodError/)
})

test('the entry point for widgets contains no zod', async () => {
  const bundle = await bundleForBrowser("export * from '@oxbow/sdk/widgets'")

  assert.doesNotMatch(bundle, /ZodError/)
})

test('the check for zod detects an import of zod', async () => {
  const bundle = await bundleForBrowser("export { createClient } from '@oxbow/sdk'")

  assert.match(bundle, /ZodError/)
})
