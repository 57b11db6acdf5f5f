/** Formats a position for people. Lines and columns count from 1, a character is one column. */
export function describePosition(template: string, at: number): string {
  const before = template.slice(0, at).split('\n')
  return `line ${before.length}, column ${Array.from(before.at(-1) ?? '').length + 1}`
}
