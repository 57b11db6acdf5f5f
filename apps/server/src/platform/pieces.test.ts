import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonInPieces } from './pieces.ts'

test('jsonInPieces limits the number and the length of the items in a piece', async () => {
  for (const rows of [
    Array.from({ length: 1_200 }, (_, index) => `${index}`),
    Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100_000)),
    ['x'.repeat(1_000_000)],
    [],
  ]) {
    const { pieces } = await jsonInPieces(rows, (row) => JSON.stringify(row))

    assert.deepEqual(JSON.parse(pieces.join('')), rows)
    const longest = Math.max(0, ...rows.map(({ length }) => length))
    for (const piece of pieces) {
      assert.ok(piece.length < 256 * 1024 + longest + 10, `${piece.length}`)
      assert.ok(String(piece).split('","').length <= 500)
    }
  }
})
