import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendLink, linkTo, renameLink } from './upload-links.ts'

test('file names with special characters neither end the link nor begin another one', () => {
  assert.equal(linkTo('a](x) [b.png', '/u/1'), '[a (x)  b.png](/u/1)')
  assert.equal(linkTo(']', '/u/1'), '[file](/u/1)')
})

test('a link is added on its own line', () => {
  assert.equal(appendLink('', '[a](/u)'), '[a](/u)\n')
  assert.equal(appendLink('Look', '[a](/u)'), 'Look\n[a](/u)\n')
})

test('a description replaces only the text of its own link', () => {
  const text = '[a](/u/1)\n[b](/u/2)\n'
  assert.equal(renameLink(text, '/u/2', 'A rose'), '[a](/u/1)\n[A rose](/u/2)\n')
  assert.equal(renameLink(text, '/u/3', 'x'), text)
})
