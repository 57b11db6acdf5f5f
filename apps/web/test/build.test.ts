import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import '@oxbow/testkit'
import { en } from '../src/text/en.generated.ts'
import { enLater } from '../src/text/en-later.generated.ts'

const directory = process.env.OXBOW_WEB_DIR ?? ''
const { files } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as {
  files: Record<string, { size: number; gzip: number }>
}
const html = readFileSync(join(directory, 'index.html'), 'utf8')

/** Lists the files with an extension that the document loads at once. */
const listFirst = (kind: string) =>
  Object.entries(files).filter(([path]) => path.endsWith(kind) && html.includes(path))

/** Returns the total gzip size of these files, in bytes. */
const firstLoad = (kind: string) => listFirst(kind).reduce((sum, [, { gzip }]) => sum + gzip, 0)

test('the first screen loads at most 120 KB of scripts and 16 KB of styles', (t) => {
  const [scripts, styles] = [firstLoad('.js'), firstLoad('.css')]
  t.diagnostic(`scripts ${scripts} bytes, styles ${styles} bytes, compressed by gzip`)
  assert.ok(scripts > 10_000 && scripts <= 120_000, `${scripts}`)
  assert.ok(styles > 1_000 && styles <= 16_000, `${styles}`)
})

test('the scripts of the first screen name only texts that are loaded with it', () => {
  const scripts = listFirst('.js').map(([path]) => readFileSync(join(directory, path), 'utf8'))
  const named = new Set(
    scripts.flatMap((script) => [...script.matchAll(/(["'`])([a-z_]+\.[a-z_]+)\1/g)].map(([, , key]) => key)),
  )
  const findNamed = (texts: object) => Object.keys(texts).filter((key) => named.has(key))
  assert.deepEqual(findNamed(en), Object.keys(en))
  assert.deepEqual(findNamed(enLater), [], 'add these keys to `except` in scripts/compile-messages.ts')
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
