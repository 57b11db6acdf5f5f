import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDisposition } from './content-disposition.ts'
import { detectContentType, isInline, servedType, usualExtension } from './content-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

const detected: [head: Buffer, name: string, declared: string, type: string][] = [
  [bytes('\x89PNG\r\n\x1a\n'), 'x.png', 'image/png', 'image/png'],
  [bytes('\x89PNG\r\n\x1a\n'), 'page.html', 'text/html', 'image/png'],
  [bytes('\xff\xd8\xff\xe0'), 'x', '', 'image/jpeg'],
  [bytes('GIF89a<script>alert(1)</script>'), 'x.html', 'text/html', 'image/gif'],
  [bytes('RIFF\0\0\0\0WEBPVP8 '), 'x', '', 'image/webp'],
  [bytes('RIFF\0\0\0\0WAVEfmt '), 'x', '', 'audio/wav'],
  [bytes('%PDF-1.7'), 'x', '', 'application/pdf'],
  [bytes(' %PDF-1.7'), 'x.pdf', 'application/pdf', 'application/octet-stream'],
  [bytes('\0\0\0\x18ftypmp42'), 'x', '', 'video/mp4'],
  [bytes('\0\0\0\x18ftypM4A '), 'x', '', 'audio/mp4'],
  [bytes('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm'), 'x', '', 'video/webm'],
  [bytes('OggS\0\x02'), 'x', '', 'audio/ogg'],
  [bytes('ID3\x04'), 'x', '', 'audio/mpeg'],
  [bytes('\xff\xfeh\0i\0'), 'utf16.txt', '', 'text/plain'],
  [bytes('<svg onload="alert(1)">'), 'x.svg', 'image/svg+xml', 'image/svg+xml'],
  [bytes('<html>'), 'x.png', 'image/png', 'application/octet-stream'],
  [bytes('<html>'), 'x.mp4', 'video/mp4', 'application/octet-stream'],
  [bytes('<html>'), 'x', 'image/png', 'application/octet-stream'],
  [bytes('<html>'), 'x.HTML', 'text/plain', 'text/html'],
  [bytes('hello'), 'notes', 'text/plain; charset=utf-8', 'text/plain'],
  [bytes('hello'), 'notes.unknown', 'x-world/x-vrml', 'application/octet-stream'],
  [bytes(''), '', '', 'application/octet-stream'],
]
for (const [head, name, declared, type] of detected) {
  const what = `${JSON.stringify(head.toString('latin1', 0, 12))} named ${name || 'nothing'}, sent as ${declared || 'nothing'},`
  test(`${what} is detected as ${type}`, () => assert.equal(detectContentType(head, name, declared), type))
}

test('types that can run scripts are served as application/octet-stream and never inline', () => {
  for (const type of [
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'application/xml',
    'text/javascript',
    'text/css',
    'message/rfc822',
    'application/octet-stream',
  ])
    assert.deepEqual([servedType(type), isInline(type)], ['application/octet-stream', false], type)
  for (const type of ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'application/pdf'])
    assert.deepEqual([servedType(type), isInline(type)], [type, true], type)
  for (const type of ['video/mp4', 'audio/mpeg', 'text/plain'])
    assert.deepEqual([servedType(type), isInline(type)], [type, false], type)
})

test('usualExtension returns the extension of a content type, or an empty string for an unknown type', () => {
  const extensions = ['image/jpeg', 'text/html', 'text/plain', 'TEXT/CSV; header=present', 'x/y', ''].map(
    usualExtension,
  )
  assert.deepEqual(extensions, ['.jpg', '.html', '.txt', '.csv', '', ''])
})

const dispositions: [name: string, header: string][] = [
  ['notes.txt', 'attachment; filename="notes.txt"'],
  ['a "b" 5%.txt', `attachment; filename="a _b_ 5_.txt"; filename*=UTF-8''a%20%22b%22%205%25.txt`],
  ['naïve (1).txt', `attachment; filename="naive (1).txt"; filename*=UTF-8''na%C3%AFve%20%281%29.txt`],
  ['../x\\y', `attachment; filename=".._x_y"`],
  ['数据', `attachment; filename="file"; filename*=UTF-8''%E6%95%B0%E6%8D%AE`],
]
for (const [name, header] of dispositions) {
  test(`the Content-Disposition of ${name} has names for old and new clients`, () =>
    assert.equal(contentDisposition('attachment', name), header))
}

test('a type that an import names like a property of objects is not sent to browsers', () => {
  for (const type of ['constructor', 'toString', 'text/html', 'image/svg+xml'])
    assert.equal(servedType(type), 'application/octet-stream')
  assert.equal(servedType('image/png'), 'image/png')
})
