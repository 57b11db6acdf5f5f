/** A hidden page paints nothing, and its work must be done all the same. */
const maxWaitMs = 1_000

/** Calls a function once the next frame has been painted, so that it holds up nothing on the screen. */
export function afterPaint(run: () => void): void {
  let timer: ReturnType<typeof setTimeout>
  const runOnce = () => {
    clearTimeout(timer)
    run()
  }
  timer = setTimeout(run, maxWaitMs)
  if (document.visibilityState === 'visible') requestAnimationFrame(() => setTimeout(runOnce))
}
