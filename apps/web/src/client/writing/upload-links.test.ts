import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendLink, isLinkDamaged, linkTo, renameLink, restoreLink } from './upload-links.ts'

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

const uri = '/user_uploads/2/ab/Xq3_kPz81LmNvRt5Yw-0cDeF/image.jpg'
const link = linkTo('image.jpg', uri)
const restore = (text: string) => restoreLink(text, 'image.jpg', uri)
const other = linkTo('image.jpg', '/user_uploads/2/ab/00000000000000000000000a/image.jpg')

/** Replaces a part of the link, from an index of it. */
const damage = (from: number, to: number, written = '') => link.slice(0, from) + written + link.slice(to)

test('a link is damaged while the text has a part of it, and deleted without any part', () => {
  for (const text of [
    damage(0, 1),
    damage(20, 20, 'Our gate'),
    damage(36, 41),
    damage(link.length - 1, link.length),
  ])
    assert.equal(isLinkDamaged(`${other}\n${text}`, uri), true, text)
  for (const text of ['', other, `a ${link}\nb`, linkTo('Our gate', uri)])
    assert.equal(isLinkDamaged(text, uri), false, text)
})

test('a restored link is whole, and what was written inside it follows it', () => {
  assert.equal(restore(`${damage(20, 20, 'Our gate')}\nb`), `${link}\nOur gate\nb`)
  assert.equal(restore(`a\n${damage(36, 41)}\n`), `a\n${link}\n`)
  assert.equal(restore(damage(0, 1)), link)
  assert.equal(restore(damage(link.length - 1, link.length)), link)
  // What was written ends like the part of the link before it.
  const written = `Our${link.slice(17, 20)}`
  assert.equal(restore(`${damage(20, 20, written)}\nb`), `${link}\n${written}\nb`)
  // Another file with the same name stays as it is.
  const text = `${other}\n${damage(30, 30, ' x ')}\n${other}\n`
  assert.equal(restore(text), `${other}\n${link}\nx\n${other}\n`)
})
