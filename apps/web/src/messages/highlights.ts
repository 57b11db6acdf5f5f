import type { MessageId } from '@oxbow/contract'
import type { Highlight, MessageWindow } from '@oxbow/sdk/windows'
import { type ReadonlySignal, useComputed } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** The window of a search, for the rows that show its results. */
export const SearchWindow = createContext<ReadonlySignal<MessageWindow> | undefined>(undefined)

/**
 * Returns the parts of a message to highlight, which match the search; undefined in lists that are
 * not search results.
 */
export function useHighlight(id: MessageId): Highlight | undefined {
  const shown = useContext(SearchWindow)
  return useComputed(() => shown?.value.highlights.get(id)).value
}
