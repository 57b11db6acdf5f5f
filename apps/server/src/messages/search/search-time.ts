import { narrowTooSlow } from '../read/read-narrowed.ts'

/**
 * How long a search may take, in milliseconds. Words that are common but never in the searched order need very many
 * statements, each of which is fast, and a long message may take tens of milliseconds to compare with a long query.
 */
const maxSearchMs = 10_000

/** Returns the time at which a search that begins now is given up. */
export const getSearchEnd = (): number => performance.now() + maxSearchMs

/** Throws `NARROW_TOO_SLOW` after `end`. */
export function refuseAfter(end: number): void {
  if (performance.now() > end) throw narrowTooSlow(maxSearchMs / 1_000)
}
