import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRows } from '../src/csv/read-rows.ts'
import { readTime } from '../src/csv/read-time.ts'
import { collect } from '../src/pipeline/team.ts'

const rowsOf = (content: string | Buffer, encoding = 'utf-8') => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return collect(
    readRows(
      't.csv',
      {
        size: bytes.length,
        read: async function* () {
          for (let at = 0; at < bytes.length; at += 2) yield bytes.subarray(at, at + 2)
        },
      },
      encoding,
    ),
  )
}

test('tables have quoted cells with line breaks, quotes and delimiters', async () => {
  assert.deepEqual(await rowsOf('A,b\r\n1,"x, ""y""\nz"\r\n,\n'), [
    { a: '1', b: 'x, "y"\nz' },
    { a: '', b: '' },
  ])
  assert.deepEqual(await rowsOf('a;b\n1;2,5\n'), [{ a: '1', b: '2,5' }])
  assert.deepEqual(await rowsOf('a\tb\n1\t2'), [{ a: '1', b: '2' }])
})

test('tables are decoded by their byte order mark or by the named encoding', async () => {
  assert.deepEqual(await rowsOf('\ufeffname\nÄ'), [{ name: 'Ä' }])
  assert.deepEqual(await rowsOf(Buffer.from('\ufeffname\nÄ', 'utf16le')), [{ name: 'Ä' }])
  assert.deepEqual(await rowsOf(Buffer.from('name\nÄ', 'latin1'), 'windows-1252'), [{ name: 'Ä' }])
  await assert.rejects(rowsOf('a\nb', 'klingon'), /--encoding/)
})

test('tables that would fill the memory or hide columns are refused', async () => {
  await assert.rejects(rowsOf('a,a\n1,2'), /names a column twice/)
  await assert.rejects(rowsOf(`a\n"${'x'.repeat(1_000_001)}`), /quote is probably not closed/)
  await assert.rejects(rowsOf(`a\n${','.repeat(1_001)}`), /more than 1000 columns/)
})

test('times are read exactly, and ambiguous ones are not guessed', () => {
  const at = (text: string, zone = 'UTC') => readTime(text, zone)
  const micros = Date.UTC(2024, 4, 1, 10) * 1_000
  for (const text of [
    '2024-05-01T10:00:00Z',
    '2024-05-01 12:00:00+02:00',
    '2024-05-01T10:00',
    String(micros / 1e6),
    String(micros / 1_000),
    String(micros),
  ])
    assert.equal(at(text), micros, text)
  assert.equal(at('2024-05-01T10:00:00.123456Z'), micros + 123_456)
  assert.equal(at('1714557600.000001'), micros + 1)
  assert.equal(at('2024-05-01T12:00:00', 'Europe/Berlin'), micros)
  for (const text of ['03/04/2024', 'yesterday', '', '2024x']) assert.ok(Number.isNaN(at(text)), text)
})
