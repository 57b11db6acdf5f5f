import { createServer, type Server } from 'node:http'
import type { App } from '../app.ts'

/**
 * Serves metrics at `metrics_listen`, a separate address that clients of the API cannot reach. If the address
 * is in use, most likely by another node on this machine, the node logs a warning and continues without
 * metrics, and the function returns undefined.
 */
export async function startMetricsServer(app: App): Promise<Server | undefined> {
  const { metrics_listen } = app.config
  if (metrics_listen === 'off') return undefined
  const { hostname, port } = new URL(`http://${metrics_listen}`)
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    const { metrics, log } = app
    return metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (err: unknown) => {
        log.error({ err }, 'the metrics cannot be read')
        response.writeHead(500).end()
      },
    )
  })
  const { promise, resolve } = Promise.withResolvers<Server | undefined>()
  server.once('listening', () => resolve(server))
  server.once('error', (err) => {
    app.log.warn(
      { err, metrics_listen },
      'metrics cannot be read at this address; give this node another one with OXBOW_METRICS_LISTEN, or `off`',
    )
    resolve(undefined)
  })
  server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''))
  server.unref()
  return promise
}
