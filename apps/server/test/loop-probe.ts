import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a node by `--import`: measures how long the main thread computes without letting anyone else in, in
 * milliseconds of processor time, which a busy machine does not lengthen. GET /max at LOOP_PROBE_PORT answers with the
 * longest since the last call.
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
