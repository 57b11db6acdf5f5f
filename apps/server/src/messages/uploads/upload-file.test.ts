import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import {
  basic,
  eventually,
  expectSameState,
  openQueue,
  type Person,
  repeatChunk,
  request,
  startWorld,
  uploadChunks,
} from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { fetchFile, upload } from '@oxbow/testkit/calls/uploads'
import { changeUploadQuota } from '../../operators/upload-quota.ts'

const world = await startWorld({ config: { max_upload_mib: 1 } })
after(() => world[Symbol.asyncDispose]())
const { organization_id: id } = world
const [iris, otto] = await world.people('iris', 'otto')
const mebibyte = 1_048_576

const post = (person: Person, files: Record<string, Uint8Array>, query: Record<string, string> = {}) =>
  request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/user_uploads',
    credentials: person,
    files,
    query,
  })
const storedFiles = () =>
  readdirSync(world.files_dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
const unfinished = () => world.database.query('select from unfinished_upload')
const tooLarge = refusal('Uploaded file is larger than the allowed limit of 1 MiB')

test('an uploaded file has the same bytes on every node', async () => {
  const bytes = randomBytes(300_000)
  const { status, body } = await post(iris, { 'Übersicht (1).bin': bytes })

  assert.equal(status, 200)
  assert.match(String(body.uri), new RegExp(`^/user_uploads/${id}/[0-9a-f]{2}/[\\w-]{24}/Übersicht-1\\.bin$`))
  for (const node of ['a', 'b'] as const) {
    const response = await fetch(`${world.nodes[node].url}${body.uri}`, {
      headers: { authorization: basic(iris) },
    })
    assert.ok(bytes.equals(Buffer.from(await response.arrayBuffer())))
  }
})

test('the owner gets an event about the upload', async () => {
  const queues = [await openQueue(iris), await openQueue(otto)] as const
  const uri = await upload(iris, 'plan%20%C3%A4.txt', 'seven b')
  await world.settled()

  const [own, others] = await Promise.all(queues.map((queue) => queue.rest('b')))
  const { attachments, upload_space_used } = await iris.uploads.list()
  const added = attachments.at(-1)
  assert.deepEqual(
    own?.map(({ id: _, ...event }) => event),
    [{ type: 'attachment', op: 'add', attachment: added, upload_space_used }],
  )
  assert.deepEqual(others, [])
  assert.equal(added?.create_time, Math.floor((added?.create_time ?? 0) / 1_000) * 1_000)
  assert.ok(Math.abs((added?.create_time ?? 0) - Date.now()) < 60_000)
  assert.deepEqual(
    { ...added, id: 0, create_time: 0 },
    {
      id: 0,
      name: 'plan ä.txt',
      path_id: uri.slice('/user_uploads/'.length),
      size: 7,
      content_type: 'text/plain',
      create_time: 0,
      messages: [],
    },
  )
})

test('the extension of the parameter mimetype is appended to the name', async () => {
  const { body } = await post(iris, { photo: Buffer.from('x') }, { mimetype: 'image/jpeg' })
  assert.match(String(body.uri), /\/photo\.jpg$/)
  const unknown = await post(iris, { photo: Buffer.from('x') }, { mimetype: 'x/y' })
  assert.match(String(unknown.body.uri), /\/photo$/)
})

test('a request without a file is refused, regardless of its body', async () => {
  const missing = refusal('You must specify a file to upload')
  assert.deepEqual(await call(world, iris, 'POST /user_uploads'), missing)
  for (const filename of [
    { json: {} },
    { multipart: { mimetype: 'text/plain' } },
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    { body: '', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  ]) {
    const { status, body } = await request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/user_uploads',
      credentials: iris,
      ...filename,
    })
    assert.deepEqual({ status, body }, missing, JSON.stringify(filename))
  }
})

test('two files, malformed forms and files that are too large are refused and leave no files behind', async () => {
  const before = storedFiles()
  const small = Buffer.from('x')
  const two = await post(iris, { 'a.txt': small, 'b.txt': small })
  assert.deepEqual([two.status, two.body.msg], [400, 'You may only upload one file at a time'])

  const exact = await post(iris, { 'a.bin': new Uint8Array(mebibyte) })
  assert.equal(exact.status, 200)
  const large = await post(iris, { 'a.bin': new Uint8Array(mebibyte + 1) })
  assert.deepEqual({ status: large.status, body: large.body }, tooLarge)

  const form = (body: string) =>
    request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/user_uploads',
      credentials: iris,
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
  const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n'
  for (const broken of ['nothing', `${part}cut off`, `${part}cut off\r\n--x`]) {
    const { status, body } = await form(broken)
    assert.deepEqual({ status, body }, refusal('Malformed multipart form'), broken)
  }
  const unnamed = `${part.replace('a.txt', '')}\r\n--x--`
  assert.equal((await form(unnamed)).body.msg, 'You must specify a file to upload')

  await eventually(async () => (await unfinished()).length === 0)
  assert.equal(storedFiles().length, before.length + 1)
})

/** Starts an upload of `size` bytes and sends only `sent` of them. */
function beginUpload(person: Person, size: number, sent: number, chunked = false) {
  const { hostname, port } = new URL(world.nodes.a.url)
  const socket = connect(Number(port), hostname)
  const head = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n'
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${head.length + size + 7}`
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(person)}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\n${framing}\r\n\r\n`,
  )
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(sent)])
  socket.write(chunked ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body]) : body)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  return { socket, responseText: () => text }
}

test('a file that is too large is refused before it is sent completely', async () => {
  for (const [size, sent, chunked] of [
    [50 * mebibyte, 100, false],
    [0, mebibyte + 100_000, true],
  ] as const) {
    const { socket, responseText: answer } = beginUpload(iris, size, sent, chunked)
    await eventually(() => answer().includes(tooLarge.body.msg))
    assert.match(answer(), /^HTTP\/1\.1 400 [\s\S]*connection: close/i)
    socket.destroy()
  }
  await eventually(async () => (await unfinished()).length === 0)
})

test('an upload whose client disconnects leaves no file and no row behind', async () => {
  const before = storedFiles()
  const { socket } = beginUpload(iris, mebibyte, 500_000)
  await eventually(async () => (await unfinished()).length === 1)
  socket.destroy()
  await eventually(async () => (await unfinished()).length === 0)
  assert.deepEqual(storedFiles(), before)
})

test('a retry with the same Idempotency-Key and file gets the first response', async () => {
  const send = (name: string, content: string) =>
    request(world.nodes.b.url, {
      method: 'POST',
      path: '/api/v1/user_uploads',
      credentials: otto,
      files: { [name]: Buffer.from(content) },
      headers: { 'idempotency-key': 'one-upload' },
    })
  const first = await send('a.txt', 'same')
  const before = storedFiles()
  const again = await send('a.txt', 'same')
  const other = await send('a.txt', 'other')

  assert.deepEqual([again.status, again.body.uri], [200, first.body.uri])
  assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  assert.deepEqual(storedFiles(), before)
  assert.equal((await otto.uploads.list()).attachments.length, 1)
  assert.equal((await fetchFile(world, otto, String(first.body.uri))).text, 'same')
})

test('form fields before the file are treated like query parameters', async () => {
  const { body } = await request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/user_uploads',
    credentials: iris,
    multipart: { mimetype: 'text/csv', colour: 'red' },
    files: { beds: Buffer.from('1,2') },
  })
  assert.match(String(body.uri), /\/beds\.csv$/)
  assert.deepEqual(body.ignored_parameters_unsupported, ['colour'])
})

test('a new quota is sent to clients in an event', async () => {
  await expectSameState(world, { iris }, () => changeUploadQuota(world.nodes.a.app, '', 5 * mebibyte))
  const state = await iris.events.register({ fetch_event_types: ['realm'] })
  assert.equal(state.realm_upload_quota, 5 * mebibyte)
  await expectSameState(world, { iris }, () => changeUploadQuota(world.nodes.a.app, '', null))
})

test('the quota of an organization is enforced exactly for concurrent uploads', async () => {
  const { upload_space_used: used } = await iris.uploads.list()
  const quota = used + 10_500
  await world.database.query('update organization set upload_quota = $2 where id = $1', [id, quota])
  const refused = { status: 400, code: 'REALM_UPLOAD_QUOTA' }

  const responses = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      request(world.nodes[index % 2 === 0 ? 'a' : 'b'].url, {
        method: 'POST',
        path: '/api/v1/user_uploads',
        credentials: index % 3 === 0 ? iris : otto,
        files: { 'a.bin': new Uint8Array(1_000) },
      }),
    ),
  )

  const accepted = responses.filter(({ status }) => status === 200)
  assert.equal(accepted.length, 10)
  for (const { status, body } of responses)
    if (status !== 200) assert.deepEqual({ status, code: body.code }, refused)
  assert.equal((await iris.uploads.list()).upload_space_used, used + 10_000)
  const state = await iris.events.register({ fetch_event_types: ['realm'] })
  assert.deepEqual([state.realm_upload_quota, state.max_file_upload_size_mib], [quota, 1])

  assert.equal((await post(iris, { 'a.bin': new Uint8Array(501) })).body.code, refused.code)
  assert.equal((await post(iris, { 'a.bin': new Uint8Array(500) })).status, 200)
  const full = await post(iris, { 'a.bin': new Uint8Array(1) })
  assert.deepEqual(
    [full.status, full.body.msg],
    [400, "Upload would exceed your organization's upload quota."],
  )
  await world.database.query('update organization set upload_quota = null where id = $1', [id])
  await eventually(async () => (await unfinished()).length === 0)
})

test('a file of unknown length is refused as soon as it exceeds the quota, and leaves nothing behind', async () => {
  const before = storedFiles()
  const { upload_space_used: used } = await iris.uploads.list()
  await world.database.query('update organization set upload_quota = $2 where id = $1', [id, used + 200_000])
  const { status, text } = await uploadChunks(world.nodes.a.url, iris, repeatChunk(0.5))
  await world.database.query('update organization set upload_quota = null where id = $1', [id])

  assert.deepEqual([status, JSON.parse(text).code], [400, 'REALM_UPLOAD_QUOTA'])
  await eventually(async () => (await unfinished()).length === 0)
  assert.deepEqual(storedFiles(), before)
})

test('uploading files logs no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})
