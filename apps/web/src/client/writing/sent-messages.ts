import type { WindowMessage } from '@oxbow/sdk/windows'

/** Texts that are kept, for messages that are edited soon after they were sent. */
const maxTexts = 20

/** Markdown sources by message id, oldest first. */
const sources = new Map<number, string>()

/** Records the text of a message that this page sent. */
export function noteSentText(id: number, source: string): void {
  sources.set(id, source)
  const [oldest] = sources.keys()
  if (sources.size > maxTexts && oldest !== undefined) sources.delete(oldest)
}

/** Returns the text of a message if this page sent it and nobody has edited it. */
export const findSentText = ({ id, last_edit_timestamp }: WindowMessage): string | undefined =>
  last_edit_timestamp === undefined ? sources.get(id) : undefined

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
