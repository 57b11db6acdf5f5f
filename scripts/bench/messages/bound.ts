/** What is wanted, and whether it is so. */
export const bound = (wanted: string, isReached: boolean): string =>
  `${wanted}: ${isReached ? 'reached' : 'MISSED'}`
