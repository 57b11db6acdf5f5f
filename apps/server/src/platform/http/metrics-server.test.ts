import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freePort, patientLimits, request, startWorld, type World } from '@oxbow/testkit'
import { Gauge } from 'prom-client'
import { startNode } from '../../node.ts'

const metrics_token = 'a token for metrics 51'
let world: World
let metrics_listen: string

before(async () => {
  metrics_listen = `127.0.0.1:${await freePort()}`
  world = await startWorld({ config: { metrics_listen, metrics_token } })
})
after(() => world[Symbol.asyncDispose]())

test('the metrics address serves metrics and nothing else', async () => {
  const { status, text } = await request(`http://${metrics_listen}`, { path: '/metrics' })
  assert.equal(status, 200)
  assert.match(text, /oxbow_database_connections/)
  assert.equal((await request(`http://${metrics_listen}`, { path: '/health' })).status, 404)
})

test('metrics at the address of the API require the token', async () => {
  const getMetrics = (authorization?: string) =>
    request(world.nodes.a.url, { path: '/metrics', headers: { ...(authorization && { authorization }) } })
  for (const authorization of [
    undefined,
    'Bearer wrong',
    `Bearer ${metrics_token}x`,
    `Basic ${metrics_token}`,
  ])
    assert.equal((await getMetrics(authorization)).status, 403, authorization)
  const { status, text } = await getMetrics(`Bearer ${metrics_token}`)
  assert.equal(status, 200)
  assert.match(text, /oxbow_database_connections/)
})

test('without a configured token the API serves no metrics', async () => {
  const { metrics_token: _, ...config } = world.nodes.a.app.config
  const node = await startNode(
    { ...config, metrics_listen: 'off', metrics_token: undefined },
    { ...patientLimits, logTo: world.log },
  )
  try {
    for (const authorization of ['', 'Bearer undefined', 'Bearer '])
      assert.equal((await request(node.url, { path: '/metrics', headers: { authorization } })).status, 403)
  } finally {
    await node.stop()
  }
})

test('a second node logs that the metrics address is in use and continues', async () => {
  // Both nodes of the test have the same setting.
  assert.equal((await request(world.nodes.b.url, { path: '/health' })).status, 200)
  assert.match(world.log.text, /metrics cannot be read at this address/)
})

test('metrics that cannot be read are answered with 500', async () => {
  // Only one of the two nodes serves the address.
  const registers = Object.values(world.nodes).map(({ app }) => app.metrics.registry)
  new Gauge({
    name: 'broken',
    help: 'A metric that cannot be read.',
    registers,
    collect() {
      throw new Error('this metric cannot be read')
    },
  })
  try {
    assert.equal((await request(`http://${metrics_listen}`, { path: '/metrics' })).status, 500)
    assert.match(world.log.text, /the metrics cannot be read/)
  } finally {
    for (const registry of registers) registry.removeSingleMetric('broken')
  }
  assert.equal((await request(`http://${metrics_listen}`, { path: '/metrics' })).status, 200)
})
