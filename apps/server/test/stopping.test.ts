import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  basic,
  callOverPool,
  createGarden,
  createTestDatabase,
  eventually,
  type NodeProcess,
  request,
  startNodeProcess,
  withApp,
} from '@oxbow/testkit'

const clientCount = 30

test('clients that follow /ready and Connection: close lose no request when one of two nodes is stopped', async () => {
  await using database = await createTestDatabase()
  const credentials = await withApp(database.url, createGarden)
  const env = { OXBOW_DRAIN_SECONDS: '15', OXBOW_LOG_LEVEL: 'info' }
  await using a = await startNodeProcess({ database_url: database.url, env })
  await using b = await startNodeProcess({ database_url: database.url, env })
  await using load = startLoad([a, b], basic(credentials))
  await eventually(() => load.responseCount() > 10 * clientCount)

  a.signal('SIGTERM')
  await eventually(() => !load.isReady(a))
  const refused = await request(a.url, { path: '/ready' }).catch(() => undefined)
  const late = await request(a.url, { path: '/api/v1/users/me', credentials }).catch(() => undefined)
  const code = await a.exited
  const sofar = load.responseCount()
  await eventually(() => load.responseCount() > sofar + 2 * clientCount)

  assert.deepEqual(load.failures(), [])
  assert.deepEqual(refused?.body, { status: 'not ready', reason: 'stopping' })
  assert.deepEqual([late?.status, late?.headers.get('connection')], [200, 'close'])
  assert.equal(code, 0)
  assert.match(a.output(), /this node is stopping/)
  assert.match(a.output(), /this node has stopped/)
})

/**
 * Starts clients with kept-alive connections, half of them on each node. They leave a node that is not
 * ready.
 */
function startLoad(nodes: NodeProcess[], authorization: string) {
  const failures: string[] = []
  let responseCount = 0
  let isStopped = false
  const ready = new Set(nodes)
  const timeoutMs = 60_000

  const checkReady = async (node: NodeProcess) => {
    while (!isStopped && ready.has(node)) {
      const response = await callOverPool(node.url, { path: '/ready', authorization, timeoutMs }).catch(
        () => undefined,
      )
      if (response?.status !== 200) ready.delete(node)
      await setTimeout(50)
    }
  }
  /** The node to which each client sent its last request. */
  const clientsAt: NodeProcess[] = []
  const ask = async (client: number) => {
    const preferred = nodes[client % nodes.length] as NodeProcess
    while (!isStopped) {
      const node = ready.has(preferred) ? preferred : (nodes.find((node) => ready.has(node)) ?? preferred)
      clientsAt[client] = node
      const outcome = await callOverPool(node.url, {
        path: '/api/v1/users/me',
        authorization,
        timeoutMs,
      }).catch((error: Error) => error)
      if (outcome instanceof Error) failures.push(outcome.message)
      else if (outcome.status !== 200) failures.push(JSON.stringify(outcome))
      responseCount++
      // The connection stays idle for a moment, as between requests of real clients. Once all clients have left the
      // node that is stopping, fewer requests suffice until it has stopped.
      const haveMoved = clientsAt.every((at) => ready.has(at))
      await setTimeout(Math.random() * (ready.size < nodes.length && haveMoved ? 500 : 100))
    }
  }
  const running = [
    ...nodes.map(checkReady),
    ...Array.from({ length: clientCount }, (_, client) => ask(client)),
  ]
  return {
    failures: () => failures,
    responseCount: () => responseCount,
    isReady: (node: NodeProcess) => ready.has(node),
    async [Symbol.asyncDispose]() {
      isStopped = true
      await Promise.all(running)
    },
  }
}
