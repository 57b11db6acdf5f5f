import { chooseStreamColor } from '@oxbow/contract'

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
  const color = chooseStreamColor(used.colors, used.streams)
  noteColor(used, color)
  return color
}

/** Records a colour as used. */
export function noteColor(used: UsedColors, color: string): void {
  used.colors.add(color)
  used.streams++
}
