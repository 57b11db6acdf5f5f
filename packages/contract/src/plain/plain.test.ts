import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('plain modules import nothing at run time but each other', () => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'))
  const imports = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^(?:import|export) (.*) from '(.*)'$/gm)]
      .filter(([, names = '']) => !names.startsWith('type '))
      .map(([, , target = '']) => target),
  )

  assert.ok(imports.length > files.length - 2)
  assert.deepEqual(
    imports.filter((target) => !target.startsWith('./')),
    [],
  )
})
