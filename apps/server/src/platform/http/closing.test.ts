import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { errors } from '@oxbow/contract'
import { eventually, request, startWorld } from '@oxbow/testkit'

const world = await startWorld({ ownServer: true, config: { external_url: 'https://garden.example' } })
after(() => world[Symbol.asyncDispose]())

test('requests to a closing node are refused with an envelope', async () => {
  const { url, stop } = world.nodes.b
  const { hostname, port } = new URL(url)
  const sockets = ['/api/v1/server_settings', '/api/v1/users/me', '/nowhere'].map((path) => {
    const socket = connect(Number(port), hostname)
    // The final blank line is left out, so that the node keeps the connection open.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n`)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // Once this request is answered, the node has also read the bytes above.
  assert.equal((await request(url, { path: '/health' })).status, 200)

  const stopped = stop()
  await eventually(() =>
    request(url, { path: '/health' }).then(
      () => false,
      () => true,
    ),
  )
  const responses = sockets.map((socket) => {
    socket.write('\r\n')
    return text(socket)
  })

  const { code, msg } = errors.SERVER_STOPPING
  for (const response of await Promise.all(responses)) {
    const [head = '', body = ''] = response.split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 503 /)
    assert.match(head, /^retry-after: 5$/im)
    assert.match(head, /^connection: close$/im)
    assert.match(head, /^strict-transport-security: max-age=31536000$/im)
    assert.deepEqual(JSON.parse(body), { result: 'error', code, msg })
  }
  await stopped
})

test('a connection without a request does not delay the stop of a node', async () => {
  const { url, stop } = world.nodes.a
  const { hostname, port } = new URL(url)
  const unused = connect(Number(port), hostname)
  await once(unused, 'connect')
  const closed = once(unused, 'close')

  const startedAt = performance.now()
  const stopped = stop()
  await closed
  // A node gives up waiting for connections after 20 s.
  assert.ok(performance.now() - startedAt < 15_000)
  await stopped
})
