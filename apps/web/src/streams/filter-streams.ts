import type { ListedStream } from '../data/stream-directory.ts'
import { fold, matchName, noMatch } from '../text/match-name.ts'

/** Filters streams by a text in their name or description. */
export function filterStreams(list: readonly ListedStream[], typed: string): readonly ListedStream[] {
  const query = typed.trim()
  if (query === '') return list
  const folded = fold(query)
  return list.filter(
    ({ stream: { name, description } }) =>
      matchName(name, query) < noMatch || (folded.length > 1 && fold(description).includes(folded)),
  )
}
