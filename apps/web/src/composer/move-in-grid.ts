/** Returns the index after an arrow key in a grid that is filled row by row; undefined for other keys. */
export function moveInGrid(key: string, index: number, count: number, columns: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  }
  const step = steps[key]
  if (step === undefined || count === 0) return undefined
  const next = index + step
  return next < 0 || next >= count ? index : next
}
