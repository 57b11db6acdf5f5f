/** Returns a text with a target and whether it was reached. */
export const bound = (wanted: string, isReached: boolean): string =>
  `${wanted}: ${isReached ? 'reached' : 'MISSED'}`
