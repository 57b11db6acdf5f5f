import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('the package exports every module once', () => {
  const text = readFileSync(new URL('./index.ts', import.meta.url), 'utf8')
  const modules = [...text.matchAll(/from '([^']+)'/g)].map(([, module]) => module)

  assert.deepEqual(modules, [...new Set(modules)])
})
