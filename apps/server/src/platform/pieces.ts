import { setImmediate } from 'node:timers/promises'

/** A list too long to hold whole: it is passed on as it is read. */
export type Pieces<Item> = AsyncIterable<readonly Item[]>

/** A value that is JSON already, in pieces that follow each other. It is written as it is, never parsed again. */
export class JsonText {
  readonly pieces: readonly string[]

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
  }
}

/** What an action may return for an answer: its lists whole or in pieces, and any field as JSON. */
export type InPieces<Answer> = {
  [Field in keyof Answer]:
    | Answer[Field]
    | JsonText
    | (Answer[Field] extends readonly (infer Item)[] ? Pieces<Item> : never)
}

/** A list of JSON texts that grows in pieces. */
export class JsonList {
  readonly #pieces: string[] = []

  add(items: readonly string[]): void {
    if (items.length === 0) return
    this.#pieces.push(`${this.#pieces.length === 0 ? '' : ','}${items.join(',')}`)
  }

  end(): JsonText {
    return new JsonText(['[', ...this.#pieces, ']'])
  }
}

const atOnce = 500

/** A list that is made while it is written, a few items at a time; short ones are made at once. */
export function inPieces<Row, Item>(rows: readonly Row[], make: (row: Row) => Item): Item[] | Pieces<Item> {
  if (rows.length <= atOnce) return rows.map(make)
  return (async function* () {
    for (let start = 0; start < rows.length; start += atOnce) {
      yield rows.slice(start, start + atOnce).map(make)
      await setImmediate()
    }
  })()
}

/** As JSON texts, made a few at a time so that others have their turns. */
export async function jsonInPieces<Row>(rows: readonly Row[], make: (row: Row) => string): Promise<JsonText> {
  const list = new JsonList()
  for (let start = 0; start < rows.length; start += atOnce) {
    if (start > 0) await setImmediate()
    list.add(rows.slice(start, start + atOnce).map(make))
  }
  return list.end()
}
