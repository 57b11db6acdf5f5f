import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listTestFiles } from './test-files.ts'

const parts = readFileSync('.ci/long-parts', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' | ') as [name: string, description: string, command: string])

test('every test file belongs to exactly one part of the long lane', () => {
  const partsOf = new Map<string, string[]>(listTestFiles([]).map((file) => [file, []]))
  for (const [name, , command] of parts) {
    const [program, ...words] = command.split(' ')
    if (program !== 'tests') continue
    const files = listTestFiles(words)
    assert.notEqual(files.length, 0, `the part ${name} has no test file`)
    for (const file of files) partsOf.get(file)?.push(name)
  }

  const wrong = [...partsOf].filter(([, names]) => names.length !== 1)
  assert.deepEqual(wrong, [])
})

test('each part of the long lane has a name of its own, a description and a command', () => {
  for (const fields of parts)
    assert.equal(fields.filter((field) => field.trim() !== '').length, 3, fields.join())
  assert.equal(new Set(parts.map(([name]) => name)).size, parts.length)
})
