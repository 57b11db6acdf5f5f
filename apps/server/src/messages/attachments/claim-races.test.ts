import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { eventually, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { upload } from '@oxbow/testkit/calls/uploads'
import pg from 'pg'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
const { query } = world.database

async function connect(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(world.database.url)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Waits until `work` is done or any transaction waits for a lock. */
async function untilBlocked(work: Promise<unknown>): Promise<void> {
  let isDone = false
  const finish = () => (isDone = true)
  void work.then(finish, finish)
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await eventually(async () => isDone || (await query(waiting)).length > 0)
}

const expires = async (uri: string) => {
  const [row] = await query<{ expires: boolean }>(
    'select unclaimed_since is not null as expires from upload where path_id = $1',
    [uri.slice('/user_uploads/'.length)],
  )
  return row?.expires
}
const sendLink = (uri: string) => sendToStream(iris, garden, 'roses', `[a](${uri})`)
const deleteMessage = (client: pg.Client, id: MessageId) =>
  client.query('delete from message where organization_id = $1 and id = $2', [world.organization_id, id])

test('a file expires if its last two messages drop their links to it concurrently', async () => {
  const uri = await upload(iris)
  const [first, message_id] = [await sendLink(uri), await sendLink(uri)]
  await using other = await connect()
  await other.query('begin')
  await other.query('delete from upload_claim where message_id = $1', [first])

  const editing = iris.messages.edit({ message_id, content: 'Gone.' })
  await untilBlocked(editing)
  await other.query('commit')
  await editing

  assert.equal(await expires(uri), true)
})

test('a file expires if concurrent transactions delete both messages that refer to it', async () => {
  const uri = await upload(iris)
  const [first, second] = [await sendLink(uri), await sendLink(uri)]
  await using one = await connect()
  await using two = await connect()
  for (const client of [one, two]) await client.query('begin')
  await deleteMessage(one, first)

  const deleting = deleteMessage(two, second)
  await untilBlocked(deleting)
  await one.query('commit')
  await deleting
  await two.query('commit')

  assert.equal(await expires(uri), true)
})

test('a file does not expire if a message claims it while the last other message drops its link', async () => {
  const uri = await upload(iris)
  const first = await sendLink(uri)
  await using other = await connect()
  await other.query('begin')
  await other.query('delete from upload_claim where message_id = $1', [first])

  const sending = sendLink(uri)
  await untilBlocked(sending)
  await other.query('commit')
  await sending

  assert.equal(await expires(uri), false)
})

test('concurrent edits that swap the files of two messages do not deadlock', async () => {
  await using world = await startWorld({ ownServer: true })
  const iris = await world.person('iris')
  const garden = await world.stream('garden', { members: [iris] })
  const [a, b] = [await upload(iris), await upload(iris)]
  for (let round = 0; round < 5; round++) {
    const one = await sendToStream(iris, garden, 'roses', `[a](${a})`)
    const two = await sendToStream(iris, garden, 'roses', `[b](${b})`)
    await Promise.all([
      iris.messages.edit({ message_id: one, content: `[b](${b})` }),
      iris.on('b').messages.edit({ message_id: two, content: `[a](${a})` }),
    ])
  }
  // PostgreSQL sessions may delay their statistics until they end.
  await Promise.all(Object.values(world.nodes).map((node) => node.stop()))
  const counted = 'select deadlocks::int from pg_stat_database where datname = current_database()'
  assert.deepEqual(await world.database.query(counted), [{ deadlocks: 0 }])
  assert.deepEqual(world.log.entries(50), [])
})

test('concurrent requests that claim files log no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})
