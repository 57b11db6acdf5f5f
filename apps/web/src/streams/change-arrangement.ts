import { awaitOrShowRefusal } from '../client/act.ts'

type Changes = typeof import('./arrange.ts')

/**
 * Makes a change of the own list of streams. The functions are loaded with the first change, because most visits
 * have none.
 */
export const changeArrangement = (change: (changes: Changes) => Promise<unknown>): Promise<boolean> =>
  awaitOrShowRefusal(import('./arrange.ts').then(change))
