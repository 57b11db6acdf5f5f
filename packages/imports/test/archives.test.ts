import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openArchive } from '../src/archive/open-archive.ts'
import { readJsonList } from '../src/archive/read-json.ts'
import { makeZip, type ZipFile } from './generate/index.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-archives-'))
after(() => rmSync(directory, { recursive: true, force: true }))
let count = 0

async function open(content: Buffer) {
  const path = join(directory, `${count++}.zip`)
  writeFileSync(path, content)
  return openArchive(path)
}

const text = (content: string) => Buffer.from(content)
const file = (name: string, content = 'x', more: Partial<ZipFile> = {}): ZipFile => ({
  name,
  content: text(content),
  ...more,
})

async function readAll(chunks: AsyncIterable<Buffer>): Promise<string> {
  let read = ''
  for await (const chunk of chunks) read += chunk
  return read
}

test('a ZIP archive is read by its list, with names in UTF-8 and without the folder around them', async () => {
  await using archive = await open(
    makeZip([
      file('export/庭/2024-01-01.json', '[]'),
      file('export/users.json', '[1]', { isStored: true }),
      file('__MACOSX/export/._users.json'),
      file('export/.DS_Store'),
    ]),
  )
  assert.deepEqual([...archive.files.keys()], ['庭/2024-01-01.json', 'users.json'])
  assert.equal(archive.ignored.length, 2)
  assert.equal(await readAll(archive.files.get('users.json')?.read() ?? assert.fail()), '[1]')
  assert.equal(await readAll(archive.files.get('庭/2024-01-01.json')?.read() ?? assert.fail()), '[]')
})

test('names that could lead outside of an archive are ignored', async () => {
  const names = [
    '../up',
    '/etc/passwd',
    'a/../../b',
    'C:/x',
    'a\\b',
    'a/./b',
    'a//b',
    'line\nbreak',
    'x'.repeat(2_000),
  ]
  await using archive = await open(makeZip([...names.map((name) => file(name)), file('users.json')]))
  assert.deepEqual([...archive.files.keys()], ['users.json'])
  assert.equal(archive.ignored.length, names.length)
})

test('symbolic links in an archive or a folder are ignored', async () => {
  await using archive = await open(
    makeZip([file('link', '/etc/passwd', { claims: { mode: 0o120777 } }), file('a')]),
  )
  assert.deepEqual([...archive.files.keys()], ['a'])
  const folder = join(directory, 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'real'), 'x')
  symlinkSync('/etc/passwd', join(folder, 'link'))
  await using opened = await openArchive(folder)
  assert.deepEqual([...opened.files.keys()], ['real'])
  assert.deepEqual(opened.ignored, ['link'])
})

const zeros = Buffer.alloc(120 * 1_048_576)
const refusedWhenRead: [what: string, file: ZipFile, message: RegExp][] = [
  [
    'a size that is too small',
    file('a', 'x'.repeat(1_000), { claims: { size: 10 } }),
    /longer than the archive says/,
  ],
  ['a size that is too large', file('a', 'x', { claims: { size: 1_000 } }), /its size or its checksum/],
  ['a wrong checksum', file('a', 'x', { claims: { crc: 1 } }), /its size or its checksum/],
  [
    'a content that is not compressed as it says',
    file('a', 'x', { isStored: true, claims: { method: 8 } }),
    /damaged at a/,
  ],
  ['an unknown compression', file('a', 'x', { claims: { method: 12 } }), /compressed by the method 12/],
  ['a content that grows beyond all measure', { name: 'a', content: zeros }, /made to fill a disk/],
]
for (const [what, broken, message] of refusedWhenRead)
  test(`a file of a ZIP archive with ${what} is refused when it is read`, async () => {
    await using archive = await open(makeZip([broken]))
    await assert.rejects(readAll(archive.files.get('a')?.read() ?? assert.fail()), message)
  })

const good = makeZip([file('a'), file('b')])
const refusedWhenOpened: [what: string, content: Buffer, message: RegExp][] = [
  ['no archive', text('this is a text'), /not a ZIP archive/],
  ['an empty file', Buffer.alloc(0), /not a ZIP archive/],
  ['an archive that is cut off', good.subarray(0, good.length - 10), /not a ZIP archive/],
  ['an archive with two files of one name', makeZip([file('a'), file('a', 'y')]), /two files of the name a/],
  [
    'an archive whose files share bytes',
    makeZip([file('a'), file('b', 'x', { claims: { offset: 0 } })]),
    /bytes of another file/,
  ],
  ['an encrypted archive', makeZip([file('a', 'x', { claims: { flags: 1 } })]), /is encrypted/],
]
for (const [what, content, message] of refusedWhenOpened)
  test(`${what} is refused when it is opened`, async () => {
    await assert.rejects(open(content), message)
  })

async function readList(content: string | Buffer, piece = 7) {
  const bytes = typeof content === 'string' ? text(content) : content
  const problems: string[] = []
  const items: unknown[] = []
  const read = async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  for await (const item of readJsonList({ size: bytes.length, read }, (problem) => problems.push(problem)))
    items.push(item)
  return { items, problems }
}

test('a JSON list is read element by element, however its bytes arrive', async () => {
  const items = [1, 'a,]"\\', { a: [1, { b: '}' }] }, [], null, 'é🌹', { __proto__: 1 }]
  for (const piece of [1, 2, 3, 64]) {
    assert.deepEqual(await readList(`\ufeff ${JSON.stringify(items, undefined, 2)}\r\n`, piece), {
      items,
      problems: [],
    })
    assert.deepEqual(await readList('[]', piece), { items: [], problems: [] })
  }
})

test('broken JSON is left out with a reason, and the rest is read', async () => {
  const cases: [string, unknown[], string[]][] = [
    ['null', [], ['not_a_list']],
    ['{}', [], ['not_a_list']],
    ['', [], ['not_a_list']],
    ['[1, 2', [1], ['truncated_file']],
    ['[1, nonsense, 2]', [1, 2], ['bad_json']],
    [`[1, ${'['.repeat(200)}${']'.repeat(200)}, 2]`, [1, 2], ['too_deep']],
    [`[${'9'.repeat(400)}, NaN, 2]`, [Number.POSITIVE_INFINITY, 2], ['bad_json']],
  ]
  for (const [content, items, problems] of cases)
    assert.deepEqual(await readList(content), { items, problems }, content)
})
