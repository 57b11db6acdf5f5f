const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** Returns a size such as `1.5 MB`. */
export function describeBytes(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000
    unit++
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`
}
