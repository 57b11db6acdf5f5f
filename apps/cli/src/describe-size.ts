/** Formats a number of bytes with a unit, like `1.5 MB`. */
export function describeSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return `${unit === 0 ? bytes : (bytes / 1_000 ** unit).toFixed(1)} ${units[unit]}`
}
