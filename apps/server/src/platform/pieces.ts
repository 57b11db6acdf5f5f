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
