// Plain JavaScript, because bin/oxbow.js needs it under any Node.

const intervalMs = 500

/**
 * Calls back once the process that started this one has ended, where npm started it. npm passes a SIGTERM on to the
 * shell in which it runs a command, and a shell ends without passing it on. Started in any other way, a process may
 * well outlive its parent.
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
