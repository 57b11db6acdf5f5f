import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildWeb } from '../../../scripts/build/build-web.ts'
import { layers } from '../scripts/vite-options.ts'

test('every built style sheet declares the order of layers, so that any sheet can be loaded first', async () => {
  const folder = await buildWeb()
  const sheets = globSync('assets/*.css', { cwd: folder })
  assert.ok(sheets.length > 1)
  for (const sheet of sheets) {
    const css = readFileSync(join(folder, sheet), 'utf8')
    const order = new Set<string>()
    for (const [, names = ''] of css.matchAll(/@layer ([\w,]+)/g))
      for (const name of names.split(',')) order.add(name)
    assert.deepEqual([...order], layers.slice(0, order.size), sheet)
  }
})
