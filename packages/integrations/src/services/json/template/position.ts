/** Formats a position for users. Lines and columns are counted from 1, columns in characters. */
export function describePosition(template: string, at: number): string {
  const before = template.slice(0, at).split('\n')
  return `line ${before.length}, column ${Array.from(before.at(-1) ?? '').length + 1}`
}
