import type { MessageId } from '@oxbow/contract'
import type { Highlight, MessageWindow } from '@oxbow/sdk/windows'
import { type ReadonlySignal, useComputed } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** The window of a search, for the rows that show its results. */
export const SearchWindow = createContext<ReadonlySignal<MessageWindow> | undefined>(undefined)

/** Returns the parts of a message that match the search whose results are shown; undefined in other lists. */
export function useHighlight(id: MessageId): Highlight | undefined {
  const shown = useContext(SearchWindow)
  return useComputed(() => shown?.value.highlights.get(id)).value
}
