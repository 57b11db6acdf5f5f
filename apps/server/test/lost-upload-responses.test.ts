import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { connectionOptions, startNode } from '@oxbow/server'
import { eventually, LogCapture, startDatabaseProxy, startS3Server, startWorld } from '@oxbow/testkit'
import { statusOf, upload } from '@oxbow/testkit/calls/uploads'
import pg from 'pg'
import { removeAbandonedUploads } from '../src/messages/uploads/remove-files.ts'

const bucket = await (await startS3Server()).createBucket()
const storePort = new URL(bucket.s3_endpoint ?? '').port

/** Requests that the gateway responded to with 504 and has not forwarded yet. */
const delayedRequests: (() => Promise<unknown>)[] = []
let isTimingOut = false

/**
 * Forwards requests to the object store. While `isTimingOut`, responds with 504 to requests that
 * store a file, and forwards them later.
 */
const gateway = createServer(async (request, response) => {
  const body = await buffer(request)
  const forward = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { method, url: path, headers } = request
      const forwarded = send({ host: '127.0.0.1', port: storePort, method, path, headers }, resolve)
      forwarded.on('error', reject).end(body)
    })
  if (isTimingOut && request.method === 'PUT') {
    delayedRequests.push(async () => buffer(await forward()))
    response.writeHead(504).end()
    return
  }
  const storeResponse = await forward()
  response.writeHead(storeResponse.statusCode ?? 500, storeResponse.headers)
  storeResponse.pipe(response)
})
await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
after(() => gateway.close())
const gatewayPort = (gateway.address() as AddressInfo).port
const world = await startWorld({
  ownServer: true,
  config: { ...bucket, s3_endpoint: `http://127.0.0.1:${gatewayPort}` },
})
after(() => world[Symbol.asyncDispose]())
const { query } = world.database
const { app } = world.nodes.a
const listUnfinished = () => query<{ path_id: string }>('select path_id from unfinished_upload')

/** Number of the advisory lock that delays the commit of an upload. */
const commitLock = 8484

test('an upload keeps its file if the commit succeeded but its response was lost', async () => {
  const iris = await world.person('iris')
  await using network = await startDatabaseProxy(app.config.database_url)
  const node = await startNode(
    { ...app.config, database_url: network.url },
    {
      logTo: new LogCapture(),
      passwordCost: 'cheap',
    },
  )
  const holder = new pg.Client(connectionOptions(world.database.url))
  try {
    const client = createClient({ url: node.url, credentials: iris })
    await holder.connect()
    await holder.query(`select pg_advisory_lock(${commitLock})`)
    await query(`create function linger() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${commitLock}); return null; end $$`)
    await query(`create constraint trigger linger after insert on upload deferrable initially deferred
      for each row execute function linger()`)
    const uploading = upload(client).then(
      () => 'stored',
      () => 'failed',
    )
    const committing = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ilike 'commit%'`
    await eventually(async () => (await query(committing)).length > 0)

    network.pointTo(network.targetPort)
    await holder.end()
    await uploading

    await query('drop function linger cascade')
    // PostgreSQL may complete the commit after its connection was broken.
    const attachments = await eventually(async () => {
      const list = await iris.uploads.list()
      return list.attachments.length > 0 && list.attachments
    })
    for (const { path_id } of attachments)
      assert.equal(await statusOf(world, iris, `/user_uploads/${path_id}`), 200)
    assert.deepEqual(await listUnfinished(), [])
  } finally {
    await holder.end()
    await node.stop()
  }
})

test('a file that reached the object store after its request failed is removed a day later', async () => {
  const otto = await world.person('otto')
  isTimingOut = true
  await assert.rejects(upload(otto))
  isTimingOut = false
  const unfinished = await listUnfinished()
  for (const deliver of delayedRequests) await deliver()
  const keys = unfinished.map(({ path_id }) => `uploads/${path_id.split('/').slice(0, 3).join('/')}`)
  assert.ok(keys.length > 0)
  for (const key of keys) assert.ok(await app.files.stat(key))

  await query("update unfinished_upload set started_at = now() - interval '25 hours'")
  await removeAbandonedUploads.run(app, {})

  assert.deepEqual(await listUnfinished(), [])
  for (const key of keys) assert.equal(await app.files.stat(key), undefined)
})
