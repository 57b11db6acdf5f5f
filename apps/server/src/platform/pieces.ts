/** A list too long to hold whole: it is passed on as it is read. */
export type Pieces<Item> = AsyncIterable<readonly Item[]>

/** What an action may return for an answer: its lists whole, or in pieces. */
export type InPieces<Answer> = {
  [Field in keyof Answer]:
    | Answer[Field]
    | (Answer[Field] extends readonly (infer Item)[] ? Pieces<Item> : never)
}
