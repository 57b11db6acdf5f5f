/**
 * Colours for streams, in the order in which a user's streams get them. They are light enough for
 * dark text, and neighbours differ clearly.
 */
export const streamColors = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
] as const

/** Returns the first unused colour. If all are used, picks one by the number of streams. */
export const chooseStreamColor = (used: ReadonlySet<string>, streams: number): string =>
  streamColors.find((color) => !used.has(color)) ?? (streamColors[streams % streamColors.length] as string)
