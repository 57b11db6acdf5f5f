import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  basic,
  eventually,
  type Person,
  repeatIfSlowed,
  request,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { type Node, startNode } from '../../node.ts'

const limit = 3
let world: World
let node: Node
let iris: Person
let otto: Person

before(async () => {
  world = await startWorld()
  ;[iris, otto] = await world.people('iris', 'otto')
  const config = { ...world.nodes.a.app.config, connections_per_account: limit }
  node = await startNode(config, { stallMs: 600, passwordCost: 'cheap', checked: false, logTo: world.log })
})
after(async () => {
  await node.stop()
  await world[Symbol.asyncDispose]()
})

/** Opens a connection that sends requests and does not read the responses. */
function openUnread(person: Person) {
  const { hostname, port } = new URL(node.url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  const head = `GET /api/openapi.json HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${basic(person)}\r\n\r\n`
  // The responses are far larger than the kernel's buffers for a client that does not read.
  socket.write(head.repeat(200))
  return socket
}

async function openPoll(person: Person, headers: Record<string, string> = {}) {
  const registered = await request(node.url, {
    method: 'POST',
    path: '/api/v1/register',
    credentials: person,
    form: { event_types: '["alert_words"]' },
  })
  const { queue_id, last_event_id } = registered.body
  const stopping = new AbortController()
  const query = new URLSearchParams({ queue_id: String(queue_id), last_event_id: String(last_event_id) })
  const response = fetch(`${node.url}/api/v1/events?${query}`, {
    signal: stopping.signal,
    headers: { authorization: basic(person), ...headers },
  })
  response.catch(() => {})
  return { response, leave: () => stopping.abort() }
}

test('a connection with unread responses is closed, and one that waits for a response is not', async () => {
  const poll = await openPoll(otto)
  // The document is created once before, because most of the pipelined requests would otherwise be refused as
  // too many at once.
  assert.equal((await request(node.url, { path: '/api/openapi.json' })).status, 200)
  for (let round = 0; round < 2; round++) {
    const unread = openUnread(iris)
    // A client that does not read notices the close only when it writes.
    await eventually(() => {
      if (!unread.destroyed) unread.write('\r\n')
      return unread.destroyed
    })
  }
  await otto.on('a').alertWords.add({ alert_words: ['roses'] })
  const { status } = await poll.response
  assert.equal(status, 200)
})

const getMe = (person: Person) => request(node.url, { path: '/api/v1/users/me', credentials: person })

for (const [what, headers] of [
  ['polls', {}],
  ['event streams', { accept: 'text/event-stream' }],
] as const) {
  test(`an account may have ${limit} ${what} open, and other accounts are not affected`, async () => {
    const polls: Awaited<ReturnType<typeof openPoll>>[] = []
    for (let index = 0; index < limit; index++) polls.push(await openPoll(iris, headers))
    const refused = await eventually(async () => {
      const response = await getMe(iris)
      return response.status === 429 && response
    })
    assert.equal(refused.body.code, 'TOO_MANY_CONNECTIONS')
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal((await getMe(otto)).status, 200)
    polls.pop()?.leave()
    await eventually(async () => (await getMe(iris)).status === 200)
    for (const { leave } of polls) leave()
  })
}

/** Opens a connection and sends the head of a POST with a body of `size` bytes. */
function openPost(person: Person, path: string, type: string, size: number) {
  const { hostname, port } = new URL(node.url)
  const socket = connect(Number(port), hostname)
  const received = { text: '', isClosed: false }
  socket.on('data', (chunk) => {
    received.text += chunk
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    received.isClosed = true
  })
  socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${basic(person)}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`,
  )
  return { socket, received }
}

test('a request whose body does not arrive in time is refused with 408, even if it arrives slowly', async () => {
  const { socket, received } = openPost(iris, '/messages', 'application/x-www-form-urlencoded', 10_000)
  const drip = setInterval(() => socket.write('a'), 20)
  await eventually(() => received.isClosed)
  clearInterval(drip)
  assert.match(received.text, /^HTTP\/1\.1 408 .*The request took too long to arrive/s)
})

test('an upload may take long while bytes arrive, and is aborted once they stop arriving', async () => {
  const head = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n'
  const end = '\r\n--x--'
  const count = 50
  const type = 'multipart/form-data; boundary=x'
  const open = () => openPost(iris, '/user_uploads', type, head.length + count + end.length)

  await repeatIfSlowed(world.database, 300, async () => {
    const { socket, received } = open()
    socket.write(head)
    const startedAt = performance.now()
    for (let sent = 0; sent < count; sent++) {
      socket.write('a')
      await setTimeout(20)
    }
    socket.write(end)
    await eventually(() => received.isClosed || received.text.includes('/user_uploads/'))
    socket.destroy()
    assert.ok(received.text.includes('/user_uploads/'), received.text)
    assert.ok(performance.now() - startedAt > 900)
  })

  const stuck = open()
  stuck.socket.write(`${head}a`)
  await eventually(() => stuck.received.isClosed)
  assert.match(stuck.received.text, /^HTTP\/1\.1 408 /)
  const unfinished = 'select from unfinished_upload where organization_id = $1'
  await eventually(async () => (await world.database.query(unfinished, [world.organization_id])).length === 0)
})
