import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Measures how long the main thread runs without returning to the event loop, in milliseconds of
 * CPU time, which other load on the machine does not increase. A node loads this file by
 * `--import`. GET /max at LOOP_PROBE_PORT returns the maximum since the last call.
 */
if (isMainThread && process.env.LOOP_PROBE_PORT) {
  const readCpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let last = readCpuMs()
  let maxMs = 0
  setInterval(() => {
    const now = readCpuMs()
    maxMs = Math.max(maxMs, now - last)
    last = now
  }, 1).unref()
  createServer((_request, response) => {
    response.setHeader('connection', 'close').end(String(maxMs))
    maxMs = 0
  })
    .listen(Number(process.env.LOOP_PROBE_PORT), '127.0.0.1')
    .unref()
}
