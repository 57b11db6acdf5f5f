import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import '@oxbow/testkit'

const directory = process.env.OXBOW_WEB_DIR ?? ''
const { files } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as {
  files: Record<string, { size: number; gzip: number }>
}
const html = readFileSync(join(directory, 'index.html'), 'utf8')

/** Returns the total gzip size, in bytes, of the files with an extension that the document loads at once. */
const firstLoad = (kind: string) =>
  Object.entries(files)
    .filter(([path]) => path.endsWith(kind) && html.includes(path))
    .reduce((sum, [, { gzip }]) => sum + gzip, 0)

test('the first screen loads at most 120 KB of scripts and 16 KB of styles', (t) => {
  const [scripts, styles] = [firstLoad('.js'), firstLoad('.css')]
  t.diagnostic(`scripts ${scripts} bytes, styles ${styles} bytes, compressed by gzip`)
  assert.ok(scripts > 10_000 && scripts <= 120_000, `${scripts}`)
  assert.ok(styles > 1_000 && styles <= 16_000, `${styles}`)
})

test('the document has no inline script or style, and its blocking script is below 1 KB', () => {
  assert.doesNotMatch(html, /<script>|<script [^>]*>[^<]|<style|style=|onload=/)
  const [theme] = Object.entries(files).find(([path]) => path.startsWith('assets/theme-')) ?? []
  assert.ok(theme && html.includes(`<script src="/${theme}">`))
  assert.ok((files[theme]?.size ?? 0) < 1_024)
})

test("the client contains neither the style guide nor the contract's validators", () => {
  const scripts = Object.keys(files).filter((path) => path.endsWith('.js'))
  for (const path of scripts)
    assert.doesNotMatch(readFileSync(join(directory, path), 'utf8'), /ZodError|Styleguide/, path)
})
