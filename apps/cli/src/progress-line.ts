/** Minimum time between two progress lines. */
const progressMs = 2_000

/** Returns a function that prints progress on standard error, at most one line every two seconds. */
export function makeProgressLine(): (text: string) => void {
  let shownAt = performance.now()
  return (text) => {
    if (performance.now() - shownAt < progressMs) return
    shownAt = performance.now()
    process.stderr.write(`${text}\n`)
  }
}
