import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gatherPieces, successBody } from './send-result.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))
const readBody = async (body: string | Readable) => (typeof body === 'string' ? body : text(body))

async function* inPieces<Item>(...pieces: Item[][]) {
  yield* pieces
}

const cases: [string, object, object][] = [
  ['an empty object', {}, {}],
  ['a short list', { list: numbers(3), more: 'x' }, { list: numbers(3), more: 'x' }],
  [
    'a long list beside other fields',
    { a: [], list: numbers(1_234), b: null, c: undefined },
    { a: [], list: numbers(1_234), b: null },
  ],
  [
    'a list in pieces',
    { list: inPieces(numbers(700), [], numbers(2)), more: 1 },
    { list: [...numbers(700), ...numbers(2)], more: 1 },
  ],
  ['a list in empty pieces', { list: inPieces([], []) }, { list: [] }],
  ['a list without pieces', { list: inPieces() }, { list: [] }],
]
for (const [name, fields, expected] of cases) {
  test(`an envelope of ${name} is one JSON line`, async () => {
    const written = await readBody(successBody(fields))
    assert.deepEqual(JSON.parse(written), { result: 'success', msg: '', ...expected })
    assert.equal(written.indexOf('\n'), written.length - 1)
  })
}

test('gatherPieces joins pieces for the contract check', async () => {
  assert.deepEqual(await gatherPieces({ list: inPieces([1], [2, 3]), more: 1 }), { list: [1, 2, 3], more: 1 })
})
