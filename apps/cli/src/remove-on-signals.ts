/**
 * Removes an unfinished file or directory on the first signal, and exits. A second signal ends the
 * process immediately.
 */
export function removeOnSignals(remove: () => void): void {
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      remove()
      process.exit(status)
    })
}
