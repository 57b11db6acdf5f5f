import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Pieces } from '../pieces.ts'

/** Lists longer than this are written in slices, so that one large answer does not hold up everyone else's. */
const slice = 500

export function successBody(fields: object): string | Readable {
  const large = Object.values(fields).some(
    (value) => isInPieces(value) || (Array.isArray(value) && value.length > slice),
  )
  if (large) return Readable.from(write(fields), { objectMode: false })
  return `${JSON.stringify({ result: 'success', msg: '', ...fields })}\n`
}

/** The same answer with its lists whole. */
export async function gatherPieces(fields: object): Promise<object> {
  const gathered = Object.entries(fields).map(async ([name, value]) => [
    name,
    isInPieces(value) ? (await Array.fromAsync(value)).flat() : value,
  ])
  return Object.fromEntries(await Promise.all(gathered))
}

function isInPieces(value: unknown): value is Pieces<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* write(fields: object): AsyncGenerator<string> {
  yield '{"result":"success","msg":""'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    yield `,${JSON.stringify(name)}:`
    if (isInPieces(value)) yield* writeList(value)
    else if (Array.isArray(value)) yield* writeList([value])
    else yield JSON.stringify(value)
  }
  yield '}\n'
}

async function* writeList(pieces: AsyncIterable<readonly unknown[]> | unknown[][]): AsyncGenerator<string> {
  let opening = '['
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += slice) {
      yield opening + JSON.stringify(piece.slice(start, start + slice)).slice(1, -1)
      opening = ','
      await setImmediate()
    }
  }
  yield opening === '[' ? '[]' : ']'
}
