/** Colours that are light enough for dark text and differ clearly from their neighbours. */
export const palette = [
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

/** The colours of a user's streams, and the number of these streams. */
export interface UsedColors {
  colors: Set<string>
  streams: number
}

/**
 * Returns the first unused colour and records it as used. When all are used, colours repeat in
 * order.
 */
export function takeColor(used: UsedColors): string {
  const free = palette.find((color) => !used.colors.has(color))
  const color = free ?? (palette[used.streams % palette.length] as string)
  noteColor(used, color)
  return color
}

/** Records a colour as used. */
export function noteColor(used: UsedColors, color: string): void {
  used.colors.add(color)
  used.streams++
}
