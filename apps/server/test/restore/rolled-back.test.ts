import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Client } from '@oxbow/sdk'
import { loadConfig, recordDatabaseRestore } from '@oxbow/server'
import { startPostgresServer } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { dump, restore, restoreInPlace, withSession } from '@oxbow/testkit/garden/database-dump'
import { createGardenOrganization, type StartedNode, startNodeOn } from '@oxbow/testkit/garden/garden'
import { putBack, takeSnapshot } from './cluster-files.ts'
import { assertQueueRefused, openMessageQueue, retryWhileUnreachable } from './messages.ts'

const postgres = await startPostgresServer({ database: 'oxbow' })
const url = postgres.url('oxbow')

let running: StartedNode | undefined

/** Returns the node that a test before left running, or starts one. */
async function getNode(): Promise<StartedNode> {
  running ??= await startNodeOn(url)
  return running
}

async function stopNode(): Promise<void> {
  await running?.[Symbol.asyncDispose]()
  running = undefined
}
after(async () => {
  await stopNode()
  await postgres[Symbol.asyncDispose]()
})

const garden = await createGardenOrganization(await getNode())

/** Stops PostgreSQL as a power failure does, runs `work` on its files, and starts it again. */
function whileStopped(work: () => void): void {
  postgres.kill()
  work()
  postgres.start()
}

/**
 * Opens two queues, calls `saveState`, and then sends a message, which is lost when the saved state is
 * restored. Only the queue `ahead` reads that message.
 */
async function loseMessage(iris: Client, saveState: () => Promise<void> | void) {
  const [ahead, behind] = [await openMessageQueue(iris), await openMessageQueue(iris)]
  await saveState()
  const lost = await retryWhileUnreachable(() => sendToStream(iris, 'roses', 'spring', 'Lost.'))
  await ahead.readTo(lost)
  return { ahead, behind, lost }
}

test('restoring files under a running node makes ids jump and ends queues whose cursor is ahead', async () => {
  const started = await getNode()
  const iris = started.as(garden.iris)
  const { ahead, behind, lost } = await loseMessage(iris, () => whileStopped(() => takeSnapshot(postgres)))

  whileStopped(() => putBack(postgres))

  const kept = await retryWhileUnreachable(() => sendToStream(iris, 'roses', 'spring', 'Kept.'))
  assert.ok(kept >= lost + 999_000, `${kept} after ${lost}`)
  await assertQueueRefused(ahead)
  assert.deepEqual(await behind.readTo(kept), [kept])
})

test('restoring files while no node runs ends queues whose cursor is ahead, and `oxbow database restored` makes ids jump', async () => {
  const { ahead, behind, lost } = await loseMessage((await getNode()).as(garden.iris), () =>
    whileStopped(() => takeSnapshot(postgres)),
  )
  await stopNode()

  whileStopped(() => putBack(postgres))
  await recordDatabaseRestore(loadConfig({ database_url: url }, {}).config)

  const started = await getNode()
  const iris = started.as(garden.iris)
  const kept = await sendToStream(iris, 'roses', 'spring', 'Kept.')
  assert.ok(kept >= lost + 999_000, `${kept} after ${lost}`)
  await assertQueueRefused(ahead.on(iris))
  assert.deepEqual(await behind.on(iris).readTo(kept), [kept])
})

test('a file-level restore without `oxbow database restored` ends queues whose cursor is ahead of the database', async () => {
  const { ahead, behind } = await loseMessage((await getNode()).as(garden.iris), () =>
    whileStopped(() => takeSnapshot(postgres)),
  )
  await stopNode()

  whileStopped(() => putBack(postgres))

  const started = await getNode()
  const iris = started.as(garden.iris)
  const kept = await sendToStream(iris, 'roses', 'spring', 'Kept.')
  await assertQueueRefused(ahead.on(iris))
  assert.deepEqual(await behind.on(iris).readTo(kept), [kept])
})

test('pg_restore --clean into the same database makes ids jump and ends queues whose cursor is ahead', async () => {
  const file = join(postgres.directory, 'oxbow.dump')
  const { ahead, behind, lost } = await loseMessage((await getNode()).as(garden.iris), () => dump(url, file))
  await stopNode()

  await restoreInPlace(file, url)

  const started = await getNode()
  const iris = started.as(garden.iris)
  const kept = await sendToStream(iris, 'roses', 'spring', 'Kept.')
  assert.ok(kept >= lost + 999_000, `${kept} after ${lost}`)
  await assertQueueRefused(ahead.on(iris))
  assert.deepEqual(await behind.on(iris).readTo(kept), [kept])
})

for (const runsCommand of [false, true])
  test(`a dump restored into a new database of the same name${runsCommand ? ', followed by oxbow database restored,' : ''} makes ids jump and ends all queues`, async () => {
    const file = join(postgres.directory, 'oxbow.dump')
    const { ahead, behind, lost } = await loseMessage((await getNode()).as(garden.iris), () =>
      dump(url, file),
    )
    await stopNode()

    await withSession(postgres.url('postgres'), async (client) => {
      await client.query('drop database oxbow with (force)')
      await client.query('create database oxbow')
    })
    await restore(file, url)
    if (runsCommand) await recordDatabaseRestore(loadConfig({ database_url: url }, {}).config)

    const started = await getNode()
    const iris = started.as(garden.iris)
    const kept = await sendToStream(iris, 'roses', 'spring', 'Kept.')
    assert.ok(kept >= lost + 999_000, `${kept} after ${lost}`)
    for (const queue of [ahead, behind]) await assertQueueRefused(queue.on(iris))
  })

test('a search finds messages on both sides of the skipped ids', async () => {
  const started = await getNode()
  const iris = started.as(garden.iris)
  const { rows } = await withSession(url, (client) =>
    client.query('select sum(last_id - first_id) as skipped, count(*) as gaps from message_id_gap'),
  )
  assert.ok(Number(rows[0]?.gaps) > 0)
  const narrow = [{ operator: 'search', operand: 'kept' }]

  const { messages } = await iris.messages.list({ anchor: 'newest', num_before: 100, num_after: 0, narrow })

  assert.deepEqual(
    messages.map(({ content }) => content.includes('Kept')),
    messages.map(() => true),
  )
  assert.ok(messages.length >= 2, `${messages.length} found`)
})
