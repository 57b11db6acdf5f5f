/** Runs the function after this time at the latest, because a hidden page is never painted. */
const maxWaitMs = 1_000

/** Calls a function after the next frame is painted, so that it does not delay the frame. */
export function afterPaint(run: () => void): void {
  let isDone = false
  const runOnce = () => {
    if (!isDone) run()
    isDone = true
  }
  setTimeout(runOnce, maxWaitMs)
  if (document.visibilityState === 'visible') requestAnimationFrame(() => setTimeout(runOnce))
}
