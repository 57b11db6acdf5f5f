import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ApiError } from '@oxbow/contract'
import { createClient } from './index.ts'
import { TransportError } from './request.ts'

interface Sent {
  line: string
  body: string
  headers: IncomingHttpHeaders
}

/** Creates a client whose server always sends the same response, and records the requests. */
async function clientWithResponse(status: number, body: string, email = 'iris@garden.example') {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    sent.push({ line: `${method} ${url}`, body: await text(request), headers })
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const credentials = { email, api_key: 'k'.repeat(32) }
  const client = createClient({ url: `http://127.0.0.1:${port}/`, credentials })
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { client, sent, [Symbol.asyncDispose]: stop }
}

const success = '{"result":"success","msg":""}'

test('arguments are sent in path, query or form as declared', async () => {
  await using peer = await clientWithResponse(200, success)

  await peer.client.users.get({ user_id: 7 as never, client_external_avatar: true })
  await peer.client.users.update({ user_id: 7 as never, role: 200, full_name: '"Iris"' })

  const [read, changed] = peer.sent
  assert.equal(read?.line, 'GET /api/v1/users/7?client_external_avatar=true')
  assert.equal(changed?.line, 'PATCH /api/v1/users/7')
  assert.equal(changed.headers['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8')
  const form = Object.fromEntries(new URLSearchParams(changed.body))
  assert.deepEqual(form, { full_name: '"\\"Iris\\""', role: '200' })
})

test('recipients and narrows are sent as JSON unless they are plain text', async () => {
  await using peer = await clientWithResponse(200, success)
  const draft = { type: 'stream', topic: 'roses', content: 'Pruned.' }
  const recipients = ['garden', '42', 42, [7, 9], ['iris@garden.example']] as const

  for (const to of recipients) await peer.client.messages.send({ ...draft, to })
  const narrow = [
    { operator: 'pm-with', operand: [7, 9] },
    { operator: 'search', operand: '"a & b"', negated: true },
  ]
  await peer.client.messages.list({ anchor: 'newest', num_before: 5, num_after: 0, narrow })

  const [listed, ...sent] = peer.sent.toReversed()
  assert.deepEqual(
    sent.reverse().map(({ body }) => new URLSearchParams(body).get('to')),
    ['garden', '"42"', '42', '[7,9]', '["iris@garden.example"]'],
  )
  const query = new URL(listed?.line.replace('GET ', '') ?? '', 'http://garden.example').searchParams
  assert.deepEqual(JSON.parse(query.get('narrow') ?? ''), narrow)
  assert.deepEqual([query.get('anchor'), query.get('num_before')], ['newest', '5'])
})

test('files are sent in a multipart form, from bytes or blobs', async () => {
  await using peer = await clientWithResponse(200, success)

  await peer.client.users.setAvatar({ files: [{ name: 'me.png', bytes: Buffer.from('pixels') }] })
  await peer.client.users.setAvatar({ files: [{ name: 'ich.png', bytes: new Blob(['others']) }] })
  await peer.client.users.setAvatar({ files: [] })

  const [first, second, none] = peer.sent
  assert.match(first?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/)
  assert.match(first?.body ?? '', /name="file"; filename="me\.png"\r\n[\s\S]*\r\n\r\npixels\r\n--/)
  assert.match(second?.body ?? '', /filename="ich\.png"\r\n[\s\S]*\r\n\r\nothers\r\n--/)
  assert.equal(none?.body, '')
})

test('credentials may contain non-ASCII characters', async () => {
  await using peer = await clientWithResponse(200, success, 'jürgen@gärten.example')

  await peer.client.users.list()

  const encoded = peer.sent[0]?.headers.authorization?.replace('Basic ', '') ?? ''
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  assert.equal(decoded, `jürgen@gärten.example:${'k'.repeat(32)}`)
})

test('an error response is thrown as the same ApiError', async () => {
  const body = { result: 'error', code: 'BAD_REQUEST', msg: 'Field id 5 not found.' }
  await using peer = await clientWithResponse(400, JSON.stringify(body))

  await assert.rejects(peer.client.users.list(), (error: ApiError) => {
    assert.ok(error instanceof ApiError && error.is('FIELD_NOT_FOUND'))
    assert.deepEqual([error.status, error.message, error.body], [400, 'Field id 5 not found.', body])
    return true
  })
})

test('an unknown error code is still thrown as an ApiError', async () => {
  const body = { result: 'error', code: 'BREWING', msg: 'I am a teapot', pot: 'round' }
  await using peer = await clientWithResponse(418, JSON.stringify(body))

  await assert.rejects(peer.client.users.list(), { status: 418, message: 'I am a teapot', body })
})

test('invalid and missing responses are thrown as TransportErrors', async () => {
  const peer = await clientWithResponse(502, '<html>Bad gateway</html>')
  const fails = (status: number | undefined) => (error: unknown) =>
    error instanceof TransportError && error.status === status

  await assert.rejects(peer.client.users.list(), fails(502))
  await peer[Symbol.asyncDispose]()
  await assert.rejects(peer.client.users.list(), fails(undefined))

  // A page calls the server that it came from, whose address is empty.
  const page = createClient({
    url: '',
    credentials: 'session',
    fetch: () => Promise.reject(new Error('gone')),
  })
  await assert.rejects(page.users.list(), { message: 'The server does not answer' })
})
