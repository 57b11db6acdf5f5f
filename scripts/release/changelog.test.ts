import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findReleaseNotes, readChangelog } from './changelog.ts'

const changelog = `# Changelog

## Unreleased

### Added

- A web client.

## 0.1.0 (2027-01-31)

### Fixed

- Roses keep their thorns.
`

test('CHANGELOG.md lists versions with known sections, the unreleased changes first', () => {
  const releases = readChangelog(readFileSync('CHANGELOG.md', 'utf8'))

  const [first, ...others] = releases
  assert.ok(first && first.sections.length > 0)
  assert.deepEqual(
    others.filter(({ date }) => date === undefined),
    [],
  )
})

test('the notes of a release are the text below its heading', () => {
  assert.equal(findReleaseNotes('v0.1.0', '0.1.0', changelog), '### Fixed\n\n- Roses keep their thorns.')
})

test('a release whose tag, package and changelog disagree is refused', () => {
  assert.throws(() => findReleaseNotes('v0.2.0', '0.1.0', changelog), /package.json has version 0.1.0/)
  assert.throws(() => findReleaseNotes('v0.2.0', '0.2.0', changelog), /CHANGELOG.md has no version 0.2.0/)
})

test('a changelog with other headings or sections is refused', () => {
  assert.throws(() => readChangelog('## Version 2\n'), /must be/)
  assert.throws(() => readChangelog('## Unreleased\n\n### Improved\n'), /sections are Added/)
})
