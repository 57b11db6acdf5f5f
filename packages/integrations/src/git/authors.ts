import { line } from '../markdown/text.ts'
import { list } from '../markdown/words.ts'

const maxNamedAuthors = 3

/**
 * Returns `Commits by otto (3), iris (1) and others (2).`, or undefined if all commits are the
 * pusher's own.
 */
export function creditAuthors(pusher: string, authors: readonly string[]): string | undefined {
  const credits = countByAuthor(authors)
  if (credits.length === 0 || (credits.length === 1 && credits[0]?.[0] === pusher)) return undefined
  const namedAuthors = credits
    .slice(0, maxNamedAuthors)
    .map(([author, commits]) => `${line(author)} (${commits})`)
  const rest = credits.slice(maxNamedAuthors).reduce((sum, [, commits]) => sum + commits, 0)
  return `Commits by ${list(rest === 0 ? namedAuthors : [...namedAuthors, `others (${rest})`])}.`
}

/** Counts the commits of each author. Authors with most commits come first. */
function countByAuthor(authors: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const author of authors) counts.set(author, (counts.get(author) ?? 0) + 1)
  return [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
}
