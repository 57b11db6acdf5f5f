/** Coverage of one script as V8 reports it. Offsets count UTF-16 units from the start of the file. */
export interface ScriptCoverage {
  url: string
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[]
}

/**
 * Counts the lines of a source file that ran in at least one process. Node replaces types by
 * blanks, so V8's offsets are valid in the source. Empty lines and lines with only brackets or a
 * comment are not counted.
 */
export function countCovered(source: string, processes: readonly ScriptCoverage[]) {
  const ran = new Uint8Array(source.length)
  for (const { functions } of processes) {
    const ranHere = new Uint8Array(source.length)
    // Outer ranges are applied first, so that inner ones override them.
    const ranges = functions.flatMap(({ ranges }) => ranges)
    ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
    for (const { startOffset, endOffset, count } of ranges)
      ranHere.fill(count > 0 ? 1 : 0, startOffset, endOffset)
    for (let index = 0; index < ran.length; index++) ran[index] ||= ranHere[index] ?? 0
  }
  let [lines, covered, offset] = [0, 0, 0]
  for (const line of source.split('\n')) {
    const first = offset + line.length - line.trimStart().length
    offset += line.length + 1
    if (!/\w/.test(line) || /^\s*(\/\/|\/?\*)/.test(line)) continue
    lines++
    if (ran[first]) covered++
  }
  return { lines, covered }
}
