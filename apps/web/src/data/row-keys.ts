/** Local ids of messages that this page has shown as unsent, by id. */
const localIds = new Map<number, string>()

/**
 * Returns the key of a message's row. A message that this page has sent keeps the one of its unsent row,
 * so that the elements of that row stay and nothing blinks when the server confirms it.
 */
export const rowKeyOf = (id: number): string => localIds.get(id) ?? String(id)

/** Notes under which local id a message was shown until now. */
export function noteRowKey(id: number, local_id: string): void {
  localIds.set(id, local_id)
}
