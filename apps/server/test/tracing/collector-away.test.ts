import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, freePort, request } from '@oxbow/testkit'
import { startCollector } from './collector.ts'
import { startTracedNode, type TracedNode } from './traced-node.ts'

/** Maximum duration of a stop, which is less than the exporter's timeout of 10 seconds. */
const maxStopMs = 8_000
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
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  })
  await eventually(async () => {
    await sendRequests(traced, 5)
    return countFailures(traced) > 0
  })
  assert.ok((await sendRequests(traced)) < 5_000)
  assert.equal(countFailures(traced), 1)

  await using collector = await startCollector({ port })
  await eventually(async () => {
    await sendRequests(traced, 1)
    return collector.spans.length > 0
  })
  await eventually(() => traced.node.output().includes('traces are sent to the collector again'))
  assert.ok((await stop(traced)) < maxStopMs)
})

test('a collector that never responds delays neither requests nor the stop of the node', async () => {
  await using collector = await startCollector({ hangs: true })
  await using traced = await startTracedNode({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  assert.ok((await sendRequests(traced)) < 5_000)
  await eventually(() => collector.requests.length > 0)
  const stopMs = await stop(traced)
  assert.ok(stopMs < maxStopMs, `it took ${stopMs} ms`)
})

test('a stopping node sends the spans that are still queued', async () => {
  await using collector = await startCollector()
  await using traced = await startTracedNode({
    OXBOW_DRAIN_SECONDS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  })
  await sendRequests(traced, 3)
  assert.equal(collector.spans.length, 0)
  await stop(traced)
  assert.equal(collector.spans.filter(({ name }) => name === 'GET /api/v1/users').length, 3)
})
