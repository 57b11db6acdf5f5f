import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBrokenLinks } from './document-links.ts'

const others = new Map([
  ['docs/b.md', '# Of b\n\n## A `name`, and more\n\n## Twice\n\n## Twice\n'],
  ['apps/c.ts', ''],
])
const find = (text: string) =>
  findBrokenLinks(
    [{ path: 'docs/a.md', text }],
    (path) => path === 'docs/a.md' || others.has(path),
    (path) => others.get(path) ?? '',
  )

test('links to existing files, headings and other hosts are accepted', () => {
  const links = '[b](b.md) [one](b.md#a-name-and-more) [two](b.md#twice-1) [c](../apps/c.ts) [here](#here)'
  assert.deepEqual(find(`# Here\n\n${links} [x](https://example.com/#x) [y](/help)`), [])
})

test('links in code are not checked', () => {
  assert.deepEqual(find('`[a](gone.md)`\n\n```\n[a](gone.md)\n```\n'), [])
})

test('a missing file and a missing heading are each reported once', () => {
  assert.deepEqual(find('[x](gone.md) [again](gone.md) [y](b.md#gone) [z](#gone)'), [
    'docs/a.md links to gone.md, which does not exist',
    'docs/a.md links to b.md#gone, but docs/b.md has no such heading',
    'docs/a.md links to #gone, but docs/a.md has no such heading',
  ])
})
