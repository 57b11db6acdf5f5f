import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { cleanFileName, makePathId, sanitizeFileName, uploadKey } from './names.ts'

const sanitized: [name: string, expected: string][] = [
  ['notes.txt', 'notes.txt'],
  ['a (1).png', 'a-1.png'],
  ['  two  words - here .txt ', 'two-words-here-.txt'],
  ['Übersicht № 4.pdf', 'Übersicht-No-4.pdf'],
  ['ﬁle①.txt', 'file1.txt'],
  ['数据_表.csv', '数据_表.csv'],
  ['हिन्दी.txt', 'हिन्दी.txt'],
  ['../../etc/passwd', '....etcpasswd'],
  ['<script>"\'&.html', 'script.html'],
  ['..', 'uploaded-file'],
  ['.', 'uploaded-file'],
  ['???', 'uploaded-file'],
  ['🌹', 'uploaded-file'],
]
for (const [name, expected] of sanitized) {
  test(`the name in the URL of ${JSON.stringify(name)} is ${expected}`, () => {
    assert.equal(sanitizeFileName(name), expected)
  })
}

const cleaned: [name: string, expected: string][] = [
  ['a (1).png', 'a (1).png'],
  ['100% sure.txt', '100% sure.txt'],
  ['na%C3%AFve%20plan.txt', 'naïve plan.txt'],
  ['%00%0d%0aSet-Cookie: x.txt', 'Set-Cookie: x.txt'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['\u2066a\u2069\u200f.txt', 'a.txt'],
  ['family 👨‍👩‍👧.jpg', 'family 👨‍👩‍👧.jpg'],
  ['\ud800half.txt', '\ufffdhalf.txt'],
  ['%ff%fe', '\ufffd\ufffd'],
  [' \t ', 'uploaded-file'],
]
for (const [name, expected] of cleaned) {
  test(`the displayed name of ${JSON.stringify(name)} is ${JSON.stringify(expected)}`, () => {
    assert.equal(cleanFileName(name), expected)
  })
}

test('long names are shortened and keep their extension', () => {
  const name = `${'ä'.repeat(10_000)}.jpeg`
  assert.match(cleanFileName(name), /^ä{250}\.jpeg$/)
  assert.match(sanitizeFileName(name), /^ä{95}\.jpeg$/)
})

test('the path of an upload has 24 random characters, and its key is ASCII', () => {
  const id = makePathId(7 as OrganizationId, 'Übersicht.pdf')
  assert.match(id, /^7\/[0-9a-f]{2}\/[\w-]{24}\/Übersicht\.pdf$/)
  assert.notEqual(id, makePathId(7 as OrganizationId, 'Übersicht.pdf'))
  assert.match(uploadKey(id), /^uploads\/7\/[0-9a-f]{2}\/[\w-]{24}$/)
})
