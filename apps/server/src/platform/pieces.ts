import { setImmediate } from 'node:timers/promises'

/** A list that is too long to be kept in memory. It is read and sent piece by piece. */
export type Pieces<Item> = AsyncIterable<readonly Item[]>

/** A serialized JSON value, as pieces to be concatenated. It is sent as it is, without being parsed. */
export class JsonText {
  /** Buffers contain whole characters of UTF-8, and may be shared with other responses. */
  readonly pieces: readonly (string | Buffer)[]

  constructor(pieces: readonly (string | Buffer)[]) {
    this.pieces = pieces
  }
}

/** The result of an action: each list may be an array or `Pieces`, and any field may be `JsonText`. */
export type InPieces<Result> = {
  [Field in keyof Result]:
    | Result[Field]
    | JsonText
    | (Result[Field] extends readonly (infer Item)[] ? Pieces<Item> : never)
}

/** Builds a JSON array from serialized items. */
export class JsonList {
  readonly #pieces: string[] = []

  add(items: readonly string[]): void {
    if (items.length === 0) return
    this.#pieces.push(`${this.#pieces.length === 0 ? '' : ','}${items.join(',')}`)
  }

  end(): JsonText {
    const [first = '', ...others] = this.#pieces
    if (others.length === 0) return new JsonText([`[${first}]`])
    // A response may wait long for its client. A string can take twice the memory of its bytes.
    return new JsonText(['[', ...this.#pieces.map((piece) => Buffer.from(piece)), ']'])
  }
}

const itemsPerPiece = 500
/** A piece with large items ends at this length, in UTF-16 code units. */
const maxPieceLength = 256 * 1024

/**
 * Maps rows lazily while the list is sent, `itemsPerPiece` at a time; short lists are mapped at
 * once.
 */
export function inPieces<Row, Item>(rows: readonly Row[], make: (row: Row) => Item): Item[] | Pieces<Item> {
  if (rows.length <= itemsPerPiece) return rows.map(make)
  return (async function* () {
    for (let start = 0; start < rows.length; start += itemsPerPiece) {
      yield rows.slice(start, start + itemsPerPiece).map(make)
      await setImmediate()
    }
  })()
}

/**
 * Serializes rows, yielding to the event loop after each piece. A piece has at most `itemsPerPiece`
 * items, and ends with the item that reaches `maxPieceLength`.
 */
export async function jsonInPieces<Row>(rows: readonly Row[], make: (row: Row) => string): Promise<JsonText> {
  const list = new JsonList()
  let items: string[] = []
  let length = 0
  for (const row of rows) {
    if (items.length === itemsPerPiece || length >= maxPieceLength) {
      list.add(items)
      items = []
      length = 0
      await setImmediate()
    }
    const item = make(row)
    items.push(item)
    length += item.length
  }
  list.add(items)
  return list.end()
}
