import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventStreamParser } from './event-stream-parser.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function parse(...chunks: Uint8Array[]) {
  const parser = new EventStreamParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

test('the parser reads fields, comments and several lines of data', () => {
  const text = [
    'retry: 1000\n\n',
    ': a comment\n\n',
    'id: 5\ndata: {"id":5}\n\n',
    'data:no space\ndata:  two\ndata\n\n',
    'id: 6\n: still here\n\n',
    'event: error\ndata: {"result":"error"}\nunknown: field\n\n',
    'event: nothing but a name\n\n',
    'id: 7\nid: 8\0\ndata: a:b\n\n',
    'id: 9\ndata: cut off',
  ].join('')

  assert.deepEqual(parse(bytesOf(text)), [
    { id: '5', type: 'message', data: '{"id":5}' },
    { id: '5', type: 'message', data: 'no space\n two\n' },
    { id: '6', type: 'message' },
    { id: '6', type: 'error', data: '{"result":"error"}' },
    { id: '7', type: 'message', data: 'a:b' },
  ])
})

test('the parser ignores a byte order mark', () => {
  assert.deepEqual(parse(bytesOf('\uFEFFdata: tea\n\n')), [{ id: '', type: 'message', data: 'tea' }])
})

const value = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/[\r\n\0]/g, ''))
const line = fc.oneof(
  value.map((text) => `data: ${text}`),
  value.map((text) => `: ${text}`),
  value.map((text) => `event: ${text}`),
  fc.nat().map((id) => `id: ${id}`),
  fc.constant(''),
)
const lineBreak = fc.constantFrom('\n', '\r', '\r\n')
const stream = fc
  .array(fc.tuple(line, lineBreak), { maxLength: 40 })
  .map((lines) => bytesOf(lines.flat().join('')))

test('the parser returns the same events however the bytes are split', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(1_000), { maxLength: 30 }), (bytes, places) => {
      const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length]
      cuts.sort((a, b) => a - b)
      const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))

      assert.deepEqual(parse(...chunks), parse(bytes))
      assert.deepEqual(parse(...Array.from(bytes, (byte) => Uint8Array.of(byte))), parse(bytes))
    }),
  )
})

test('the parser accepts any kind of line break', () => {
  const events = fc.array(fc.record({ id: fc.nat(), data: value }), { maxLength: 10 })
  fc.assert(
    fc.property(events, lineBreak, (written, end) => {
      const text = written.map(({ id, data }) => `id: ${id}${end}data: ${data}${end}${end}`).join('')
      const expected = written.map(({ id, data }) => ({ id: String(id), type: 'message', data }))
      assert.deepEqual(parse(bytesOf(text)), expected)
    }),
  )
})

test('an event that arrives in many chunks is not searched again with each chunk', () => {
  const parser = new EventStreamParser()
  const chunk = bytesOf('x'.repeat(1_000))
  const chunks = 20_000
  const before = process.cpuUsage()
  parser.push(bytesOf('data: '))
  for (let count = 0; count < chunks; count++) parser.push(chunk)
  const [event] = parser.push(bytesOf('\n\n'))
  const { user } = process.cpuUsage(before)

  assert.equal(event?.data?.length, chunks * 1_000)
  // Searching again with each chunk takes minutes.
  assert.ok(user < 10_000_000, `${user / 1_000} ms`)
})
