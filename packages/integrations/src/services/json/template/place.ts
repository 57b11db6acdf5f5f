/** For people: lines and columns count from one, a character is one column. */
export function placeIn(template: string, at: number): string {
  const before = template.slice(0, at).split('\n')
  return `line ${before.length}, column ${Array.from(before.at(-1) ?? '').length + 1}`
}
