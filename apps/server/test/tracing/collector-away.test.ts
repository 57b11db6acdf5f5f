import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, freePort, request } from '@oxbow/testkit'
import { startCollector } from './collector.ts'
import { startTracedNode, type TracedNode } from './traced-node.ts'

/** Milliseconds after which the exporter gives up a collector that never answers. */
const exportTimeoutMs = 120_000
/**
 * Limit for the stop and for each request. It is far below the timeout of the exporter, so that a node that waits for
 * the collector exceeds it, and a busy machine does not.
 */
const maxDelayMs = 30_000
/** Attempts to stop a node that sends its last spans in time: it waits only a second for the collector. */
const maxAttempts = 3
/** Number of requests, which exceeds the maximum size of the span queue. */
const requests = 60

const failure = 'traces cannot be sent to the collector'
const environment = {
  OTEL_BSP_SCHEDULE_DELAY: '20',
  OTEL_BSP_MAX_QUEUE_SIZE: '20',
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
  OXBOW_DRAIN_SECONDS: '0',
  OXBOW_LOG_LEVEL: 'info',
  OXBOW_LOG_FORMAT: 'json',
}

/** Sends requests one after the other. Returns the milliseconds of the slowest. */
async function sendRequests({ node, owner }: TracedNode, count = requests): Promise<number> {
  let slowest = 0
  for (let sent = 0; sent < count; sent++) {
    const startedAt = performance.now()
    const { status } = await request(node.url, { path: '/api/v1/users', credentials: owner })
    slowest = Math.max(slowest, performance.now() - startedAt)
    assert.equal(status, 200)
  }
  return slowest
}

/** Stops the node as a service manager does. Returns how long it took, in milliseconds. */
async function stop({ node }: TracedNode): Promise<number> {
  const startedAt = performance.now()
  node.signal('SIGTERM')
  assert.equal(await node.exited, 0)
  return performance.now() - startedAt
}

const countFailures = ({ node }: TracedNode) => node.output().split(failure).length - 1

test('an unreachable collector causes one log line, and gets spans once it is reachable', async () => {
  const port = await freePort()
  await using traced = await startTracedNode({
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    // The exporter first retries after 800 ms. With a shorter limit, a busy node would also log timeouts.
    OTEL_EXPORTER_OTLP_TIMEOUT: '700',
  })
  await eventually(async () => {
    await sendRequests(traced, 5)
    return countFailures(traced) > 0
  })
  await sendRequests(traced)
  assert.equal(countFailures(traced), 1)

  await using collector = await startCollector({ port })
  // An export that arrives can still count as failed, so only further spans bring the line of the log.
  await eventually(async () => {
    await sendRequests(traced, 1)
    return (
      collector.spans.length > 0 && traced.node.output().includes('traces are sent to the collector again')
    )
  })
  await stop(traced)
})

test('a collector that never responds delays neither requests nor the stop of the node', async () => {
  await using collector = await startCollector({ hangs: true })
  await using traced = await startTracedNode({
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: String(exportTimeoutMs),
    OTEL_BSP_EXPORT_TIMEOUT: String(exportTimeoutMs),
  })
  const slowestMs = await sendRequests(traced)
  assert.ok(slowestMs < maxDelayMs, `a request took ${slowestMs} ms`)
  await eventually(() => collector.requests.length > 0)
  const stopMs = await stop(traced)
  assert.ok(stopMs < maxDelayMs, `it took ${stopMs} ms`)
})

test('a stopping node sends the spans that are still queued', async () => {
  let sent = 0
  for (let attempt = 0; attempt < maxAttempts && sent < 3; attempt++) sent = await countSpansOfStop()
  assert.equal(sent, 3)
})

/** Sends three requests to a node that exports spans only when it stops. Returns how many it exports. */
async function countSpansOfStop(): Promise<number> {
  await using collector = await startCollector()
  await using traced = await startTracedNode({
    OXBOW_DRAIN_SECONDS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  })
  await sendRequests(traced, 3)
  assert.equal(collector.spans.length, 0)
  await stop(traced)
  return collector.spans.filter(({ name }) => name === 'GET /api/v1/users').length
}
