/** Local ids by message id, for messages that this page showed as unsent. */
const localIds = new Map<number, string>()

/**
 * Returns the key of a message's row. A message that this page sent keeps the key of its unsent
 * row, so that the row's elements are reused and nothing flickers when the server confirms it.
 */
export const rowKeyOf = (id: number): string => localIds.get(id) ?? String(id)

/** Records the local id under which a message was shown while it was unsent. */
export function noteRowKey(id: number, local_id: string): void {
  localIds.set(id, local_id)
}
