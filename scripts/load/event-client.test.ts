import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { EventClient } from './event-client.ts'

test('a client of an event stream continues after its last event, whatever the headers are', async () => {
  const cursors: (string | null)[] = []
  const server = createServer((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://localhost').searchParams.get('last_event_id')
    cursors.push(cursor)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'a1' })
    response.write('retry: 1000\n\n')
    if (cursor === '7') response.write('id: 8\ndata: {"type":"message","content":"Message ~~3~"}\n\n')
    response.write('id: 8\n: still here\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const numbers: number[] = []
  const client = new EventClient({
    port: (server.address() as AddressInfo).port,
    authorization: '',
    reception: 'stream',
    queue_id: 'garden',
    cursor: 7,
    onMessage: (number) => numbers.push(number),
    onFault: (fault) => assert.fail(fault),
  })
  try {
    await client.catchUp()
    await client.catchUp()
    assert.deepEqual(numbers, [3])
    assert.equal(cursors.at(-1), '8')
  } finally {
    client.close()
    server.closeAllConnections()
    server.close()
  }
})
