import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listTestFiles } from '../../packages/testkit/runner/test-files.ts'
import { deliberateFaults } from './deliberate-faults.ts'

const root = new URL('../../', import.meta.url)

test('every deliberate fault matches the source once and names existing tests', () => {
  const testFiles = listTestFiles([])
  for (const [name, { file, find, tests }] of Object.entries(deliberateFaults)) {
    const path = new URL(file, root)
    assert.ok(existsSync(path), `${name}: ${file} does not exist`)
    const times = readFileSync(path, 'utf8').split(find).length - 1
    assert.equal(times, 1, `${name}: ${file} contains the fragment ${times} times`)
    for (const part of tests) {
      const isThere = testFiles.some((path) => path.includes(part))
      assert.ok(isThere, `${name}: no path of a test file contains ${part}`)
    }
  }
})
