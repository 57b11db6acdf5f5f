import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUserByOperator } from '@oxbow/server'
import { startFailoverDatabase, startPostgresServer } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { withSession } from '@oxbow/testkit/garden/database-dump'
import { createGardenOrganization, type StartedNode, startNodeOn } from '@oxbow/testkit/garden/garden'
import { asPostgres } from './cluster-files.ts'
import { assertQueueRefused, openMessageQueue, retryWhileUnreachable } from './messages.ts'

let count = 0

/** Creates one object of each kind whose id clients store, and returns the ids. */
async function makeObjects({ node, as }: StartedNode, owner: { email: string; api_key: string }) {
  count++
  const olive = as(owner)
  const email = `person${count}@garden.example`
  const account = { subdomain: '', email, full_name: `Person ${count}`, role: 'member' } as const
  const { user_id } = await retryWhileUnreachable(() => addUserByOperator(node.app, account))
  const name = `beds ${count}`
  await retryWhileUnreachable(() => olive.subscriptions.subscribe({ subscriptions: [{ name }] }))
  const { stream_id } = await olive.streams.getId({ stream: name })
  await olive.userGroups.create({ name, description: '', members: [user_id] })
  const { user_groups: listed } = await olive.userGroups.list({})
  const user_groups = listed.filter(({ is_system_group }) => !is_system_group)
  const group = Math.max(...user_groups.map(({ id }) => id))
  return {
    message: await retryWhileUnreachable(() => sendToStream(olive, 'roses', 'spring', 'Planted.')),
    user: user_id,
    stream: stream_id,
    group,
  }
}

function assertIdsJumped(made: Record<string, number>, lost: Record<string, number>): void {
  for (const [kind, id] of Object.entries(made)) {
    assert.ok(id > (lost[kind] ?? 0) + 90_000, `${kind} ${id} after ${lost[kind]}`)
  }
}

test('after a failover that lost commits, no id that a client has seen is assigned again', async () => {
  await using database = await startFailoverDatabase('oxbow')
  await using started = await startNodeOn(database.url)
  const { owner, iris } = await createGardenOrganization(started)
  await database.addStandby()
  database.stopReplication()
  const queue = await openMessageQueue(started.as(iris))
  const lost = await makeObjects(started, owner)
  await queue.readTo(lost.message)

  await database.failOver()

  assertIdsJumped(await makeObjects(started, owner), lost)
  await assertQueueRefused(queue)
})

test('after point-in-time recovery, ids jump beyond every id that may have been assigned since', async () => {
  await using postgres = await startPostgresServer({ database: 'oxbow' })
  const { directory } = postgres
  await withSession(postgres.url('postgres'), async (client) => {
    await client.query('alter system set archive_mode = on')
    await client.query(`alter system set archive_command = 'cp %p ${directory}/archive/%f'`)
  })
  asPostgres(`mkdir -p ${directory}/archive`)
  await postgres.restart()
  const url = postgres.url('oxbow')
  const { garden, lost, queue } = await (async () => {
    await using started = await startNodeOn(url)
    const garden = await createGardenOrganization(started)
    asPostgres(
      `pg_basebackup -D ${directory}/base -h 127.0.0.1 -p ${postgres.port} -U postgres --checkpoint=fast`,
    )
    await withSession(url, async (client) => {
      // Simulates recovery to an hour ago, with messages sent since then at the maximum rate of any
      // server.
      await client.query("update event_log set alive_at = now() - interval '1 hour'")
      await client.query("select pg_create_restore_point('noon')")
      await client.query("select setval('message_id', nextval('message_id') + 50000000)")
      await client.query('update event_head set last_seq = last_seq + 2000000000')
    })
    const lost = await makeObjects(started, garden.owner)
    const queue = await openMessageQueue(started.as(garden.iris))
    await withSession(url, (client) => client.query('select pg_switch_wal()'))
    return { garden, lost, queue }
  })()

  postgres.kill()
  asPostgres(`cd ${directory} && rm -rf data && mv base data && touch data/recovery.signal &&
    echo "restore_command = 'cp ${directory}/archive/%f %p'" >> data/postgresql.auto.conf &&
    echo "recovery_target_name = 'noon'" >> data/postgresql.auto.conf &&
    echo "recovery_target_action = 'promote'" >> data/postgresql.auto.conf`)
  postgres.start()
  await withSession(postgres.url('postgres'), async (client) => {
    await retryWhileUnreachable(async () => {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      if (rows[0]?.standby) throw new Error('not yet')
      return rows
    })
  })

  await using started = await startNodeOn(url)
  assertIdsJumped(await makeObjects(started, garden.owner), lost)
  await assertQueueRefused(queue.on(started.as(garden.iris)))
  const opened = await started.as(garden.iris).events.register({ fetch_event_types: [] })
  assert.ok((opened.last_event_id ?? 0) > 2_000_000_000)
})
