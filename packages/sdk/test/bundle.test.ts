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

test('windows add at most 6.5 KB gzipped to the browser entry, and contain no zod', async (t) => {
  const entry = "export * from '@oxbow/sdk/browser'"
  const withWindows = await bundleForBrowser(`${entry}\nexport * from '@oxbow/sdk/windows'`)

  const size = (bundle: string) => gzipSync(bundle, { level: 9 }).length
  const added = size(withWindows) - size(await bundleForBrowser(entry))
  t.diagnostic(`${added} bytes gzipped`)
  assert.ok(added <= 6.5 * 1024, `${added} bytes`)
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
