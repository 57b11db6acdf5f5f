/** Light enough for dark text, far enough apart to tell neighbours by. */
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

/** The colours of the streams that someone is in, and how many these are. */
export interface UsedColors {
  colors: Set<string>
  streams: number
}

/** The first that nothing else has; when all are taken, they go round. Notes that it is taken. */
export function takeColor(used: UsedColors): string {
  const free = palette.find((color) => !used.colors.has(color))
  const color = free ?? (palette[used.streams % palette.length] as string)
  noteColor(used, color)
  return color
}

export function noteColor(used: UsedColors, color: string): void {
  used.colors.add(color)
  used.streams++
}
