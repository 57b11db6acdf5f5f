import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { createOrganization, loadConfig, type Node, startNode } from '@oxbow/server'
import {
  downloadChunks,
  eventually,
  LogCapture,
  mountSmallDisk,
  pngOf,
  repeatChunk,
  request,
  startPostgresServer,
  startWorld,
  testSecret,
  uploadChunks,
} from '@oxbow/testkit'
import { sql } from 'kysely'

test('uploads are refused with 503 while the disk for files is full, and accepted once there is space', async (t) => {
  using disk = mountSmallDisk(4)
  if (!disk) return t.skip('needs the right to mount a file system')
  await using world = await startWorld({ config: { files_dir: disk.directory } })
  const iris = await world.person('iris')
  const upload = () =>
    request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/users/me/avatar',
      credentials: iris,
      files: { 'iris.png': pngOf(40, 40) },
    })
  disk.fill()

  const refused = await upload()

  assert.equal(refused.status, 503, refused.text)
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.equal(refused.body.code, 'SERVICE_UNAVAILABLE')
  const storedFiles = readdirSync(disk.directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  assert.deepEqual(
    storedFiles.map(({ name }) => name),
    ['ballast'],
  )
  const [warning] = world.log.problems()
  assert.deepEqual(
    [warning?.msg, warning?.reason],
    ['requests are refused with 503', 'the disk that keeps uploads is full'],
  )
  const { body: unchanged } = await request(world.nodes.b.url, {
    path: '/api/v1/users/me',
    credentials: iris,
  })
  assert.equal(unchanged.avatar_version, 1)

  disk.free()

  assert.equal((await upload()).status, 200)
})

test('a streamed upload that fills the disk is refused with 503 and leaves no file, and the node continues', async (t) => {
  using disk = mountSmallDisk(8)
  if (!disk) return t.skip('needs the right to mount a file system')
  await using world = await startWorld({ config: { files_dir: disk.directory } })
  const [iris, otto] = await world.people('iris', 'otto')
  const { url } = world.nodes.a
  const before = await uploadChunks(url, iris, repeatChunk(1))
  const filesBefore = listFiles(disk.directory)
  assert.equal(filesBefore.length, 1)

  // The first upload has more bytes than the disk; the others do not fit on it together.
  const large = [uploadChunks(url, iris, repeatChunk(20)), uploadChunks(url, otto, repeatChunk(15))]
  const others = Array.from({ length: 5 }, (_, index) =>
    request(url, {
      method: 'POST',
      path: '/api/v1/messages',
      credentials: otto,
      form: { type: 'private', to: `["${iris.email}"]`, content: `while the disk fills ${index}` },
    }),
  )
  for (const { status, text } of await Promise.all(large)) {
    assert.equal(status, 503, text)
    assert.deepEqual(
      [JSON.parse(text).code, JSON.parse(text).msg],
      ['SERVICE_UNAVAILABLE', 'The server cannot store files right now; try again later'],
    )
  }
  for (const { status, text } of await Promise.all(others)) assert.equal(status, 200, text)

  assert.deepEqual(listFiles(disk.directory), filesBefore)
  assert.deepEqual(await world.database.query('select from unfinished_upload'), [])
  assert.equal((await iris.uploads.list()).attachments.length, 1)
  assert.equal(await downloadChunks(url, iris, before.uri ?? ''), 1_048_576)
  const [warning] = world.log.problems()
  assert.deepEqual(
    [warning?.msg, warning?.reason],
    ['requests are refused with 503', 'the disk that keeps uploads is full'],
  )
  assert.deepEqual(world.log.entries(50), [])

  disk.fill()
  assert.equal((await uploadChunks(url, otto, [Buffer.from('small')])).status, 503)
  assert.equal(await downloadChunks(url, iris, before.uri ?? ''), 1_048_576)
  disk.free()
  assert.equal((await uploadChunks(url, otto, repeatChunk(5))).status, 200)
})

/** Returns the paths of all files below a directory. */
function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
}

test("sends are refused with 503 while PostgreSQL's disk is full, nothing is lost, and service resumes", async (t) => {
  using disk = mountSmallDisk(160)
  if (!disk) return t.skip('needs the right to mount a file system')
  const { TMPDIR } = process.env
  process.env.TMPDIR = disk.directory
  await using postgres = await startPostgresServer({ database: 'oxbow_full' }).finally(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  const log = new LogCapture()
  const node = await startOn(postgres.url('oxbow_full'), log)
  try {
    const { send, acknowledged, stored } = await prepareSender(node)
    assert.equal(await send(), 200)

    disk.fill()
    let status = 200
    while (status === 200) status = await send()

    assert.equal(status, 503)
    const warning = log.entries().find(({ msg }) => msg === 'requests are refused with 503')
    assert.equal(warning?.reason, 'the disk of PostgreSQL is full')
    assert.deepEqual(await stored(), acknowledged)

    disk.free()
    await eventually(async () => (await send()) === 200)
    assert.deepEqual(await stored(), acknowledged)

    // PostgreSQL shuts down if there is no space for the next WAL segment.
    disk.fill()
    await sql`select pg_switch_wal()`.execute(node.app.db).catch(() => {})
    await eventually(async () => {
      await sql`select pg_switch_wal()`.execute(node.app.db).catch(() => {})
      return (await request(node.url, { path: '/ready' })).status === 503
    }, 60_000)
    assert.equal(await send(), 503)

    disk.free()
    // Restarts PostgreSQL, as the service manager of a real machine does.
    await postgres.restart().catch(() => postgres.start())
    await eventually(async () => (await request(node.url, { path: '/ready' })).status === 200)
    await eventually(async () => (await send()) === 200)
    assert.deepEqual(await stored(), acknowledged)
    await eventually(
      async () => (await sql`select from outbox`.execute(node.app.db)).rows.length === 0,
      30_000,
    )
    assert.deepEqual(
      log.entries(50).filter(({ msg }) => /unhandled/.test(String(msg))),
      [],
    )
  } finally {
    await node.stop()
  }
})

async function startOn(database_url: string, log: LogCapture): Promise<Node> {
  const settings = { database_url, secret: testSecret, port: '0', rate_limit_per_minute: '0' }
  return startNode(loadConfig(settings, {}).config, { logTo: log, passwordCost: 'cheap', checked: true })
}

async function prepareSender({ app, url }: Node) {
  const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
  const credentials = await createOrganization(app, { name: 'The Garden', subdomain: '', owner })
  const form = { subscriptions: '[{"name": "garden"}]' }
  await request(url, { method: 'POST', path: '/api/v1/users/me/subscriptions', credentials, form })
  const acknowledged: number[] = []
  const send = async () => {
    const content = randomBytes(3_500).toString('hex')
    const { status, body } = await request(url, {
      method: 'POST',
      path: '/api/v1/messages',
      credentials,
      form: { type: 'stream', to: 'garden', topic: 'roses', content },
    })
    if (status === 200) acknowledged.push(body.id as number)
    return status
  }
  const stored = async () => {
    const { rows } = await sql<{ id: number }>`
      select id from message where sender_id = ${credentials.user_id} order by id`.execute(app.db)
    return rows.map(({ id }) => id)
  }
  return { send, acknowledged, stored }
}
