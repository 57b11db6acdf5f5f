import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ArgumentsOf, api } from '@oxbow/contract'
import { eventually, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { sql } from 'kysely'
import { inTransaction } from '../../platform/database/transaction.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [owner, iris, otto] })
await owner.streams.update({ stream_id: garden.stream_id, stream_post_policy: 3 })
const named = await sendToStream(iris, garden, 'roses')

interface Row {
  off: ArgumentsOf<typeof api.organization.update>
  on: ArgumentsOf<typeof api.organization.update>
  /** A request that the setting refuses. It runs on another node than the change of the setting. */
  send(): Promise<unknown>
  error: string
}

const rows: Record<string, Row> = {
  mandatory_topics: {
    off: { mandatory_topics: false },
    on: { mandatory_topics: true },
    send: () => sendToStream(iris.on('b'), garden, '(no topic)'),
    error: 'TOPICS_REQUIRED',
  },
  'mandatory_topics for an edit': {
    off: { mandatory_topics: false },
    on: { mandatory_topics: true },
    send: () => iris.on('b').messages.edit({ message_id: named, topic: '(no topic)' }),
    error: 'TOPICS_REQUIRED',
  },
  private_message_policy: {
    off: { private_message_policy: 1 },
    on: { private_message_policy: 2 },
    send: () => sendPrivately(iris.on('b'), [otto]),
    error: 'PRIVATE_MESSAGES_DISABLED',
  },
  'waiting_period_threshold of a stream for full members': {
    off: { waiting_period_threshold: 0 },
    on: { waiting_period_threshold: 9 },
    send: () => sendToStream(iris.on('b'), garden, 'roses'),
    error: 'NEW_MEMBERS_CANNOT_POST',
  },
}

/** Waits until a statement with this text waits for a lock. */
const waitsForLock = (text: string) =>
  eventually(async () => {
    const waiting = await world.database.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
         and query like $1`,
      [`%${text}%`],
    )
    return waiting.length > 0
  })

/** Runs `work` while a transaction holds a lock that `lock` takes. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  await inTransaction(world.nodes.a.app.db, async (tx) => {
    await sql.raw(lock).execute(tx)
    await work()
  })
}

async function countMessages(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>('select count(*)::int as count from message')
  return row?.count ?? 0
}

for (const [name, { off, on, send, error }] of Object.entries(rows)) {
  test(`a change of ${name} waits for requests that are being written, and refuses those that follow`, async () => {
    await owner.organization.update(off)
    let sending: Promise<unknown> | undefined
    let changing: Promise<unknown> | undefined
    const order: string[] = []
    // The request has compared the setting, and cannot write its event.
    await whileLocked('lock table outbox in share row exclusive mode', async () => {
      sending = send().then(() => order.push('sent'))
      await waitsForLock(name.endsWith('edit') ? 'insert into outbox' : 'send_message')
      changing = owner.organization.update(on).then(() => order.push('changed'))
      await waitsForLock('hold_actor')
    })
    await Promise.all([sending, changing])
    await owner.messages.edit({ message_id: named, topic: 'roses' })
    const before = await countMessages()

    assert.deepEqual(order, ['sent', 'changed'])
    await assert.rejects(send(), { errorName: error })
    assert.equal(await countMessages(), before)
  })

  test(`a request that waits for a change of ${name} is refused`, async () => {
    await owner.organization.update(off)
    await owner.messages.edit({ message_id: named, topic: 'roses' })
    const before = await countMessages()
    let sending: Promise<unknown> | undefined
    let changing: Promise<unknown> | undefined
    await whileLocked(`select from organization where id = ${world.organization_id} for update`, async () => {
      changing = owner.organization.update(on)
      await waitsForLock('for no key update')
      sending = send()
      sending.catch(() => {})
      await waitsForLock(name.endsWith('edit') ? 'hold_actor' : 'send_message')
    })

    await changing
    await assert.rejects(async () => sending, { errorName: error })
    assert.equal(await countMessages(), before)
  })
}

test('a message that waits while the organization is deactivated is refused', async () => {
  await owner.organization.update({ waiting_period_threshold: 0, private_message_policy: 1 })
  await sendToStream(iris.on('b'), garden, 'roses')
  const before = await countMessages()
  let sending: Promise<unknown> | undefined
  let deactivating: Promise<unknown> | undefined
  await whileLocked(`select from organization where id = ${world.organization_id} for update`, async () => {
    deactivating = owner.organization.deactivate()
    await waitsForLock('for no key update')
    sending = sendToStream(iris.on('b'), garden, 'roses')
    sending.catch(() => {})
    await waitsForLock('send_message')
  })

  await deactivating
  await assert.rejects(async () => sending, { errorName: 'ORGANIZATION_DEACTIVATED' })
  assert.equal(await countMessages(), before)
})
