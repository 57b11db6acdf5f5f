import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { basic, patientLimits, request, startStopwatch, startWorld, type World } from '@oxbow/testkit'
import { startNode } from '../../node.ts'
import { anonymousBodyLimit, bodyLimit } from './request-input.ts'

let world: World
let base: string
before(async () => {
  world = await startWorld()
  base = world.nodes.a.url
})
after(() => world[Symbol.asyncDispose]())

const rename = (how: object) =>
  request(base, {
    method: 'PATCH',
    path: `/api/v1/users/${world.owner.user_id}`,
    credentials: world.owner,
    ...how,
  })
const ownName = async () => (await world.owner.users.me()).full_name

/** Ways in which existing clients encode parameters. */
const ways: Record<string, (full_name: string) => object> = {
  query: (full_name) => ({ query: { full_name } }),
  form: (full_name) => ({ form: { full_name } }),
  multipart: (full_name) => ({ multipart: { full_name } }),
  json: (full_name) => ({ json: { full_name } }),
  'form without a content type': (full_name) => ({
    body: new URLSearchParams({ full_name }).toString(),
    headers: { 'content-type': 'text/plain' },
  }),
  'quoted in a form': (full_name) => ({ form: { full_name: JSON.stringify(full_name) } }),
}
for (const [way, rawRequest] of Object.entries(ways)) {
  test(`PATCH accepts parameters by ${way}`, async () => {
    const { status, text } = await rename(rawRequest(`Named By ${way}`))
    assert.equal(status, 200, text)
    assert.equal(text, '{"result":"success","msg":""}\n')
    assert.equal(await ownName(), `Named By ${way}`)
  })
}

test('the body takes precedence over the query, and the last of repeated names wins', async () => {
  await rename({ query: { full_name: 'From Query' }, form: { full_name: 'From Body' } })
  assert.equal(await ownName(), 'From Body')
  const path = `/api/v1/users/${world.owner.user_id}?full_name=First+One&full_name=Last+One`
  await request(base, { method: 'PATCH', path, credentials: world.owner })
  assert.equal(await ownName(), 'Last One')
})

test('a POST with an unknown content type has no parameters', async () => {
  const { body } = await request(base, {
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    body: 'username=a&password=b',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(body.msg, "Missing 'username' argument")
})

const namedFields = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? ['full_name', 'Iris'] : [`field${index}`, 'x']))

const refused: [string, object, number, string][] = [
  [
    'a body that is not JSON',
    { body: '{', headers: { 'content-type': 'application/json' } },
    400,
    'INVALID_JSON',
  ],
  ['a JSON body that is not an object', { json: [1] }, 400, 'INVALID_JSON'],
  [
    'multipart without a boundary',
    { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
    400,
    'BAD_REQUEST',
  ],
  ['a body over the limit', { form: { full_name: 'x'.repeat(bodyLimit) } }, 413, 'REQUEST_TOO_LARGE'],
]
for (const [name, rawRequest, status, code] of refused) {
  test(`a malformed request is refused: ${name}`, async () => {
    const response = await rename(rawRequest)
    assert.deepEqual([response.status, response.body.code], [status, code], response.text)
  })
}

test('a form may have 200 fields, and a form with more is refused in little processor time', async () => {
  const renameWith = (fields: number) => rename({ form: Object.fromEntries(namedFields(fields)) })
  assert.equal((await renameWith(200)).status, 200)
  const tooMany = { result: 'error', code: 'REQUEST_TOO_LARGE', msg: 'The form has more than 200 fields' }
  assert.deepEqual((await renameWith(201)).body, tooMany)

  const began = process.threadCpuUsage()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.deepEqual((await rename({ body: 'a&'.repeat(bodyLimit / 2), headers })).body, tooMany)
  assert.ok(process.threadCpuUsage(began).user < 400_000)
})

test('a body far over the limit is refused, and its connection is closed', async () => {
  const node = await startNode(
    { ...world.nodes.a.app.config, port: 0 },
    { ...patientLimits, logTo: world.log, passwordCost: 'cheap' },
  )
  const path = `/api/v1/users/${world.owner.user_id}`
  const form = { full_name: 'x'.repeat(20 * bodyLimit) }
  const { status } = await request(node.url, { method: 'PATCH', path, credentials: world.owner, form })
  assert.equal(status, 413)

  // A client that neither reads nor stops sending is disconnected, and the node still serves others.
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
  socket.on('error', () => {})
  const length = 20 * bodyLimit
  socket.write(`PATCH ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(world.owner)}\r\n`)
  socket.write(`Content-Length: ${length}\r\n\r\n${'x'.repeat(length / 2)}`)
  await new Promise((resolve) => socket.on('close', resolve))
  assert.equal((await request(node.url, { path: '/health' })).status, 200)
  await using stopwatch = startStopwatch(world.database)
  await node.stop()
  assert.ok(stopwatch.elapsedMs() < 10_000)
})

const multipart = 'multipart/form-data; boundary=X'
const part = (headers: string, content: string) => `--X\r\n${headers}\r\n\r\n${content}\r\n`
/** Malicious bodies. Each must be refused, and the node must still serve other requests. */
const hostile: [string, string, string, number][] = [
  [
    'a truncated file',
    multipart,
    '--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc',
    400,
  ],
  ['a truncated field', multipart, '--X\r\nContent-Disposition: form-data; name="f"\r\n\r\nabc', 400],
  ['truncated headers', multipart, '--X\r\nContent-Dis', 400],
  [
    'too many parts',
    multipart,
    `${part('Content-Disposition: form-data; name="f"', '').repeat(400)}--X--`,
    413,
  ],
  [
    'too many files',
    multipart,
    `${part('Content-Disposition: form-data; name="f"; filename="a"', '').repeat(50)}--X--`,
    400,
  ],
  ['very deep nesting', 'application/json', `{"username":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
  [
    'a body above the limit for requests without an account',
    'application/json',
    `{"username":"${'x'.repeat(anonymousBodyLimit)}"}`,
    413,
  ],
  ['an invalid content type', 'foo', 'username=a', 400],
]
for (const [name, type, body, status] of hostile) {
  test(`a malicious body does no harm: ${name}`, async () => {
    const rawRequest = {
      method: 'POST',
      path: '/api/v1/fetch_api_key',
      body,
      headers: { 'content-type': type },
    }
    const response = await request(base, rawRequest)
    assert.deepEqual([response.status, response.body.result], [status, 'error'], response.text)
    assert.equal((await request(base, { path: '/health' })).status, 200)
  })
}

test('credentials are checked before the content type', async () => {
  const rawRequest = { method: 'POST', path: '/api/v1/users', body: 'x', headers: { 'content-type': 'foo' } }
  assert.equal((await request(base, rawRequest)).status, 401)
})

test('a client that disconnects mid-request is not logged as an error', async () => {
  const port = Number(new URL(base).port)
  const before = world.log.problems().length
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nusername=')
    await once(socket, 'connect')
    await request(base, { path: '/health' })
    socket[leave]()
    await once(socket, 'close')
    for (let count = 0; count < 5; count++) await request(base, { path: '/health' })
  }
  assert.equal(world.log.problems().length, before, world.log.lines.slice(-3).join(''))
})

test('a page accepts GET and HEAD and lists them in Allow', async () => {
  const { status, headers } = await request(base, { method: 'POST', path: '/health' })
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  assert.equal((await request(base, { method: 'HEAD', path: '/api/docs' })).status, 200)
})

test('a path with an overlong number gets a 404 that does not repeat the number', async () => {
  const { status, text } = await request(base, { path: `/api/v1/users/${'9'.repeat(3_000)}` })
  assert.equal(status, 404)
  assert.ok(!text.includes('999'))
})

test('an unknown path and a non-numeric id in a path get a 404 envelope', async () => {
  for (const path of [
    '/api/v1/no/such/path',
    '/api/v1/users/seven',
    '/api/v1/users/-1',
    '/',
    '/api/v1/users/1.5',
  ]) {
    const { status, body } = await request(base, { path, credentials: world.owner })
    assert.deepEqual([status, body.result, body.code], [404, 'error', 'NOT_FOUND'], path)
  }
})

test('a wrong method is refused before credentials are checked, with the allowed methods', async () => {
  const { status, headers, body } = await request(base, { method: 'PUT', path: '/api/v1/users' })
  assert.equal(status, 405)
  assert.equal(headers.get('allow'), 'GET, POST, HEAD')
  assert.deepEqual(body, {
    result: 'error',
    msg: 'Method Not Allowed',
    code: 'METHOD_NOT_ALLOWED',
    allowed_methods: ['GET', 'POST', 'HEAD'],
  })
})

test('OPTIONS returns the methods of a path', async () => {
  const { status, headers, text } = await request(base, { method: 'OPTIONS', path: '/api/v1/users' })
  assert.deepEqual([status, headers.get('allow'), text], [204, 'GET, HEAD, POST', ''])
})

test('HEAD responds like GET without the body', async () => {
  const { status, text, headers } = await request(base, {
    method: 'HEAD',
    path: '/api/v1/users/me',
    credentials: world.owner,
  })
  assert.deepEqual([status, text], [200, ''])
  assert.ok(Number(headers.get('content-length')) > 100)
})

test('permission to call is checked before parameters are decoded', async () => {
  const member = await world.person('mia')
  const { body } = await request(base, { method: 'POST', path: '/api/v1/users', credentials: member })
  assert.equal(body.msg, 'Must be an organization administrator')
})

test('responses forbid caching and have the request id that is logged', async () => {
  const { headers } = await request(base, { path: '/api/v1/users/me', credentials: world.owner })
  assert.equal(headers.get('cache-control'), 'max-age=0, no-cache, no-store, must-revalidate')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  const id = headers.get('x-request-id') ?? 'none'
  assert.ok(world.log.lines.some((line) => line.includes(id) && line.includes('"endpoint":"users.me"')))
})

test('a valid X-Request-Id of the client is used as the request id', async () => {
  const sendId = async (id: string) =>
    (await request(base, { path: '/health', headers: { 'x-request-id': id } })).headers.get('x-request-id')
  assert.equal(await sendId('from-a-proxy.1'), 'from-a-proxy.1')
  assert.notEqual(await sendId('with "quotes"'), 'with "quotes"')
})

test('bytes that are not HTTP get an error envelope', async () => {
  const port = Number(new URL(base).port)
  const send = async (raw: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.end(raw)
    return text(socket)
  }
  assert.match(await send('nonsense\r\n\r\n'), /^HTTP\/1.1 400 .*"code":"BAD_REQUEST"/s)
  const long = `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`
  assert.match(await send(long), /^HTTP\/1.1 431 .*"result":"error"/s)
})
