import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ApiError, type DataExport, type DataExportId, type OrganizationId } from '@oxbow/contract'
import { basic, eventually, openQueue, type Person, startWorld, type World } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { fetchFile, upload } from '@oxbow/testkit/calls/uploads'
import { expireExports } from './expire-exports.ts'
import { makeArchive } from './make-archive.ts'

let world: World
let member: Person
const directory = mkdtempSync(join(tmpdir(), 'oxbow-archive-'))

before(async () => {
  world = await startWorld({ ownServer: true })
  member = await world.person('iris')
  const roses = await world.stream('roses', { members: [world.owner, member] })
  const path = await upload(member)
  await sendToStream(member, roses, 'spring', `Pruned [notes](${path})`)
  await sendPrivately(member, [world.owner], 'For your eyes.')
})
after(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

const list = async (): Promise<DataExport[]> => (await world.owner.dataExports.list()).exports
const get = (person: Person | undefined, url: string) => fetchFile(world, person, new URL(url).pathname)
/** Returns the error text of a refused request. */
const refusedWith = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiError)
  return error.message
}

/** Starts an export and waits until it has finished or failed. */
async function startAndWait(person: Person = world.owner): Promise<DataExport> {
  await person.dataExports.start()
  return eventually(async () => (await list()).slice(-1).find(({ pending }) => !pending), 60_000)
}

test('an export runs in the background, and only administrators can download its archive', async () => {
  const queue = await openQueue(world.owner, { event_types: ['realm_export'] })
  const others = await openQueue(member, { event_types: ['realm_export'] })
  const made = await startAndWait()
  assert.equal(made.acting_user_id, world.owner.user_id)
  const events = await queue.take(2)
  assert.deepEqual(
    events.map((event) => 'exports' in event && event.exports.at(-1)?.pending),
    [true, false],
  )
  assert.deepEqual(await others.rest(), [])

  const url = made.export_url ?? assert.fail()
  const archive = join(directory, 'export.tar.gz')
  const response = await fetch(`${world.nodes.b.url}${new URL(url).pathname}`, {
    headers: { authorization: basic(world.owner) },
  })
  assert.equal(response.status, 200)
  writeFileSync(archive, Buffer.from(await response.arrayBuffer()))
  execFileSync('tar', ['--extract', '--gzip', '--file', archive, '--directory', directory])
  execFileSync('sha256sum', ['--check', '--quiet', 'checksums/000001.sha256'], { cwd: directory })
  assert.equal(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')).scope, 'public')
  const messages = readFileSync(join(directory, 'records/message/000001.jsonl'), 'utf8')
  assert.ok(messages.includes('Pruned') && !messages.includes('For your eyes'))

  const guest = await world.person('greta', 'guest')
  const bot = await world.bot('robin', world.owner)
  const { owner: stranger } = await world.addOrganization('hill')
  for (const person of [member, guest, bot]) assert.equal((await get(person, url)).status, 400)
  assert.ok([401, 404].includes((await get(stranger, url)).status))
  assert.equal((await get(undefined, url)).status, 401)
})

test('a deleted export remains in the list without its archive', async () => {
  const made = (await list()).find(({ export_url }) => export_url) ?? assert.fail()
  const remove = () => world.owner.dataExports.remove({ export_id: made.id })
  await remove()
  assert.equal(await refusedWith(remove()), 'Export already deleted')
  const listed = (await list()).find(({ id }) => id === made.id)
  assert.equal(listed?.export_url, null)
  assert.equal(typeof listed?.deleted_timestamp, 'number')
  assert.equal((await get(world.owner, made.export_url ?? '')).status, 404)
  await eventually(async () => (await listArchives()).length === 0)
})

test('an archive is deleted after a week, and its export is listed as deleted', async () => {
  const made = await startAndWait()
  const age = (days: number) =>
    world.database.query(
      'update data_export set finished_at = now() - make_interval(days => $2) where id = $1',
      [made.id, days],
    )
  const { app } = world.nodes.a
  await age(6)
  await expireExports.run(app, {})
  assert.equal((await get(world.owner, made.export_url ?? '')).status, 200)

  const queue = await openQueue(world.owner, { event_types: ['realm_export'] })
  await age(8)
  await expireExports.run(app, {})
  await expireExports.run(app, {})

  assert.equal((await get(world.owner, made.export_url ?? '')).status, 404)
  const listed = (await list()).find(({ id }) => id === made.id)
  assert.deepEqual([listed?.export_url, listed?.pending], [null, false])
  assert.ok((listed?.deleted_timestamp ?? 0) > made.export_time)
  const [event] = await queue.take(1)
  assert.deepEqual(event && 'exports' in event && event.exports.find(({ id }) => id === made.id), listed)
  assert.deepEqual(await queue.rest(), [])
  await eventually(async () => (await listArchives()).length === 0)
})

test('a person who is no longer an administrator gets no events about exports', async () => {
  const adam = await world.person('adam', 'administrator')
  const made = await startAndWait(adam)
  assert.equal(made.acting_user_id, adam.user_id)
  await world.owner.users.update({ user_id: adam.user_id, role: 400 })
  const queue = await openQueue(adam, { event_types: ['realm_export'] })

  await world.database.query("update data_export set finished_at = now() - interval '8 days' where id = $1", [
    made.id,
  ])
  await expireExports.run(world.nodes.a.app, {})

  assert.deepEqual(await queue.rest(), [])
  assert.equal((await get(adam, made.export_url ?? '')).status, 400)
  await eventually(async () => (await listArchives()).length === 0)
})

test('unknown, pending and failed exports cannot be deleted', async () => {
  const add = async (columns: string) => {
    const [row] = await world.database.query<{ id: DataExportId }>(
      `insert into data_export (organization_id, acting_user_id, origin, failed_at, started_at)
       values ($1, $2, 'http://localhost', ${columns}, now() - interval '8 days') returning id::int`,
      [world.organization_id, world.owner.user_id],
    )
    return row?.id ?? assert.fail()
  }
  const remove = (export_id: DataExportId) => refusedWith(world.owner.dataExports.remove({ export_id }))
  assert.equal(await remove(0 as DataExportId), 'Invalid data export ID')
  assert.equal(await remove(await add('null')), 'Export still in progress')
  assert.equal(await remove(await add('now()')), 'Export failed, nothing to delete')
})

test('an export that fails is recorded as failed, leaves no file, and is not repeated', async () => {
  const { app } = world.nodes.a
  const [row] = await world.database.query<{ id: DataExportId }>(
    `insert into data_export (organization_id, acting_user_id, origin, started_at)
     values ($1, $2, 'http://localhost', now() - interval '8 days') returning id::int`,
    [world.organization_id, world.owner.user_id],
  )
  const key = { organization_id: world.organization_id as OrganizationId, id: row?.id ?? assert.fail() }
  const files = { ...app.files, get: () => Promise.reject(new Error('the disk is gone')) }
  await makeArchive.run({ ...app, files }, key)
  const failed = (await list()).find(({ id }) => id === key.id)
  assert.equal(failed?.pending, false)
  assert.equal(typeof failed?.failed_timestamp, 'number')
  await makeArchive.run(app, key)
  assert.deepEqual(
    (await list()).find(({ id }) => id === key.id),
    failed,
  )
  assert.deepEqual(await listArchives(), [])
})

test('an export whose archive cannot be stored fails while it reads messages', async () => {
  const { app } = world.nodes.a
  const { stream_id } = await world.stream('large', { members: [world.owner] })
  const ids: number[] = []
  for (let count = 0; count < 16; count++) {
    const message = { type: 'stream', to: stream_id, topic: 'x', content: 'x' } as const
    ids.push((await world.owner.messages.send(message)).id)
  }
  // Random text, because the archive is compressed.
  const change = (content: string) =>
    world.database.query(
      `update message set content = ${content} where organization_id = $1 and id = any($2)`,
      [world.organization_id, ids],
    )
  await change("(select string_agg(md5(n::text), '') from generate_series(1, 62500) as n)")
  const [row] = await world.database.query<{ id: DataExportId }>(
    `insert into data_export (organization_id, acting_user_id, origin, started_at)
     values ($1, $2, 'http://localhost', now() - interval '8 days') returning id::int`,
    [world.organization_id, world.owner.user_id],
  )
  const key = { organization_id: world.organization_id as OrganizationId, id: row?.id ?? assert.fail() }
  const put = async (_key: string, content: AsyncIterable<Buffer>): Promise<never> => {
    let size = 0
    for await (const chunk of content) {
      size += chunk.length
      if (size > 100_000) break
    }
    throw new Error('the store is full')
  }
  await makeArchive.run({ ...app, files: { ...app.files, put: put as typeof app.files.put } }, key)
  const failed = (await list()).find(({ id }) => id === key.id)
  assert.equal(typeof failed?.failed_timestamp, 'number')
  await change("'x'")
})

test('an organization can start five exports in a week', async () => {
  for (let started = (await list()).filter(isRecent).length; started < 5; started++)
    await world.owner.dataExports.start()
  assert.equal(await refusedWith(world.owner.dataExports.start()), 'Exceeded rate limit.')
})

test('starting an export with too many gigabytes of uploads is refused with advice to ask the operator', async () => {
  await world.database.query("update data_export set started_at = now() - interval '8 days'")
  await world.database.query('update upload_usage set bytes = bytes + $1', [11 * 1_024 ** 3])
  const text = await refusedWith(world.owner.dataExports.start())
  assert.match(text, /^Please request a manual export from .+\.$/)
})

const isRecent = ({ export_time }: DataExport): boolean => export_time > Date.now() / 1_000 - 7 * 86_400

async function listArchives(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of world.nodes.a.app.files.list('exports/')) keys.push(key)
  return keys
}
