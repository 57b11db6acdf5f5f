import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { JsonText, type Pieces } from '../pieces.ts'

/** Lists longer than this are written in slices, so that one large answer does not hold up everyone else's. */
const slice = 500

export function successBody(fields: object): string | Readable {
  let hasText = false
  for (const value of Object.values(fields)) {
    if (isLarge(value)) return Readable.from(write(fields), { objectMode: false })
    hasText ||= value instanceof JsonText
  }
  if (hasText) return join(fields)
  const known = bodies.get(fields)
  if (known) return known
  const body = `${JSON.stringify({ result: 'success', msg: '', ...fields })}\n`
  if (Object.isFrozen(fields)) bodies.set(fields, body)
  return body
}

/** An answer that is frozen is the same each time it is given, so its text is made once. */
const bodies = new WeakMap<object, string>()

function isLarge(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > slice
  return value instanceof JsonText ? value.pieces.length > 1 : isInPieces(value)
}

function join(fields: object): string {
  let body = '{"result":"success","msg":""'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    body += `,"${name}":${value instanceof JsonText ? value.pieces[0] : JSON.stringify(value)}`
  }
  return `${body}}\n`
}

/** The same answer with its lists whole. */
export async function gatherPieces(fields: object): Promise<object> {
  const gathered = Object.entries(fields).map(async ([name, value]) => [
    name,
    value instanceof JsonText
      ? JSON.parse(value.pieces.join(''))
      : isInPieces(value)
        ? (await Array.fromAsync(value)).flat()
        : value,
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
    if (value instanceof JsonText) yield* value.pieces
    else if (isInPieces(value)) yield* writeList(value)
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
