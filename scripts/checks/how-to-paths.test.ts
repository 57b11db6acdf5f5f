import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findMissingPaths } from './how-to-paths.ts'

const existing = new Set(['apps/server/src/features.ts', 'docs/subsystems/', 'CHANGELOG.md'])
const find = (text: string) =>
  findMissingPaths([{ path: 'docs/how-to/a.md', text }], (path) => existing.has(path))

test('existing paths in a how-to page, and code that is not a path, are accepted', () => {
  const text = 'List it in `apps/server/src/features.ts` and `CHANGELOG.md`, see `docs/subsystems/`.'
  assert.deepEqual(find(`${text} Run \`npm run docs\`; \`/metrics\` has \`m.client\`.`), [])
})

test('a missing file and an incomplete path are each reported once', () => {
  const text = 'In `apps/server/src/gone.ts` (again: `apps/server/src/gone.ts`), in `feature.ts`.'
  assert.deepEqual(find(text), [
    'docs/how-to/a.md names apps/server/src/gone.ts, which does not exist',
    'docs/how-to/a.md names feature.ts, which does not exist',
  ])
})

test('the how-to pages of this repository name over 50 paths, all of which exist', () => {
  const pages = globSync('docs/how-to/*.md').map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const named = findMissingPaths(pages, () => false)

  assert.ok(named.length > 50, `${named.length} paths`)
  assert.deepEqual(findMissingPaths(pages, existsSync), [])
})
