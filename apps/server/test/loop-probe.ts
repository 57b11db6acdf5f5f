import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Measures how long the main thread runs without returning to the event loop, in milliseconds of CPU time,
 * which other load does not lengthen. Loaded into a node by `--import`. GET /max at LOOP_PROBE_PORT
 * returns the maximum since the last call.
 */
if (isMainThread && process.env.LOOP_PROBE_PORT) {
  const computed = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let last = computed()
  let longest = 0
  setInterval(() => {
    const now = computed()
    longest = Math.max(longest, now - last)
    last = now
  }, 1).unref()
  createServer((_request, response) => {
    response.setHeader('connection', 'close').end(String(longest))
    longest = 0
  })
    .listen(Number(process.env.LOOP_PROBE_PORT), '127.0.0.1')
    .unref()
}
