// Plain JavaScript, because bin/oxbow.js imports it with any version of Node.js.

const intervalMs = 500

/**
 * Calls `onEnded` once when the parent process has ended, if npm started this process. npm forwards
 * SIGTERM to the shell that runs a command, and the shell ends without forwarding the signal. Does
 * nothing without npm, because a process may then outlive its parent.
 * @param {number} parent
 * @param {() => void} onEnded
 */
export function onOrphaned(parent, onEnded) {
  if (process.env.npm_command === undefined) return
  const watching = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watching)
    onEnded()
  }, intervalMs)
  watching.unref()
}
