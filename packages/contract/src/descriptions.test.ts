import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'

/** Collects the files that `file` imports at run time, directly or indirectly. Type imports are erased. */
function collectImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  const source = readFileSync(file, 'utf8')
  for (const [, path = ''] of source.matchAll(/^(?:import|export)(?! type)[^;]*?from '(\.[^']+)'/gm)) {
    collectImports(join(dirname(file), path), found)
  }
  return found
}

test('the main entry point of the contract loads no descriptions', () => {
  const root = import.meta.dirname
  const loaded = [...collectImports(join(root, 'index.ts'))]

  assert.ok(loaded.some((file) => basename(file) === 'api.ts'))
  assert.deepEqual(
    loaded.filter((file) =>
      ['descriptions.ts', 'common-descriptions.ts', 'openapi.ts'].includes(basename(file)),
    ),
    [],
  )
})
