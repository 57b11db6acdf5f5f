import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadConfig, recordDatabaseRestore } from '@oxbow/server'
import { eventually, startPostgresServer } from '@oxbow/testkit'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { dump, restore, withSession } from '@oxbow/testkit/garden/database-dump'
import { createGardenOrganization, startNodeOn } from '@oxbow/testkit/garden/garden'

const postgres = await startPostgresServer({ database: 'oxbow' })
after(() => postgres[Symbol.asyncDispose]())
const url = postgres.url('oxbow')

const query = <Row extends object>(text: string) =>
  withSession(url, async (session) => (await session.query<Row>(text)).rows)

const readSent = async () =>
  (
    await query<{ content: string }>("select content from message where topic = 'later' order by content")
  ).map(({ content }) => content)

test('scheduled messages from a restored dump are sent once, even if their time has passed meanwhile', async () => {
  const file = join(postgres.directory, 'oxbow.dump')
  {
    await using started = await startNodeOn(url)
    const { iris } = await createGardenOrganization(started)
    for (const content of ['sent after the dump', 'due while the server was down', 'due next week'])
      await schedule(started.as(iris), { to: 'roses', topic: 'later', content })
    await dump(url, file)
    await query(
      "update scheduled_message set deliver_at = now(), attempt_at = now() where content = 'sent after the dump'",
    )
    await eventually(async () => (await readSent()).length === 1)
  }

  await withSession(postgres.url('postgres'), async (session) => {
    await session.query('drop database oxbow with (force)')
    await session.query('create database oxbow')
  })
  await restore(file, url)
  await recordDatabaseRestore(loadConfig({ database_url: url }, {}).config)
  assert.deepEqual(await readSent(), [])
  await query(
    "update scheduled_message set deliver_at = now() - interval '1 day', attempt_at = now() - interval '1 day' where content <> 'due next week'",
  )

  await using first = await startNodeOn(url)
  await using second = await startNodeOn(url)
  assert.notEqual(first.node.url, second.node.url)
  await eventually(async () => (await readSent()).length === 2)
  await eventually(async () => (await query('select from scheduled_message')).length === 1)
  assert.deepEqual(await readSent(), ['due while the server was down', 'sent after the dump'])
})
