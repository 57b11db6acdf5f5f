import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { sql } from 'kysely'
import { explainUnavailability } from '../src/platform/database/database-unavailable.ts'

test('locks of a node that is suspended during a transaction are released, and its transaction fails as unavailable', async () => {
  await using world = await startWorld({ databaseTimeoutMs: 5_000 })
  const { owner, nodes } = world
  const { stream_id } = await world.stream('garden', { members: [owner] })
  const locked = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const suspended = nodes.a.app.db.transaction().execute(async (tx) => {
    // Takes the same lock as a node that archives the stream or changes who may post.
    await sql`select from stream where id = ${stream_id} for update`.execute(tx)
    await sql`lock table message`.execute(tx)
    locked.resolve()
    await resumed.promise
    await sql`select 1`.execute(tx)
  })
  suspended.catch(() => {})
  await Promise.race([locked.promise, suspended])

  const id = await eventually(() => sendToStream(owner.on('b'), 'garden', 'roses', 'Pruned.'))

  assert.ok(id > 0)
  resumed.resolve()
  const error = await suspended.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.notEqual(explainUnavailability(error), undefined, `${error}`)
  assert.ok((await sendToStream(owner.on('a'), 'garden', 'roses', 'Again.')) > id)
})
