import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ScheduledMessageId } from '@oxbow/contract'
import { eventually, openQueue, startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { call } from '@oxbow/testkit/calls/requests'
import { listScheduled, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { bySize } from '@oxbow/testkit/size'
import { sql } from 'kysely'
import { claimSenders, listDueMessages, releaseSenders, renewClaims } from '../queries.ts'
import { deliverNow } from '../test/deliver-now.ts'
import { deliverDue } from './deliver-due.ts'
import { deliverMessage } from './deliver-message.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
await world.stream('garden', { members: [world.owner, iris, otto] })
const { a, b } = world.nodes

const inTopic = async (topic: string) => readMessages(iris, { stream: 'garden', topic })
const makeDue = (ids: readonly ScheduledMessageId[]) =>
  world.database.query(
    'update scheduled_message set deliver_at = now(), attempt_at = now() where id = any($1)',
    [ids],
  )

test('a delivered message causes one message event and one event that removes the scheduled message', async () => {
  const inbox = await openQueue(iris, { event_types: ['message', 'scheduled_messages'] })
  const recipientQueue = await openQueue(otto, { event_types: ['message', 'scheduled_messages'] })
  const id = await schedule(iris, { to: 'garden', topic: 'events', content: '@**Otto Gardener** look' })
  await deliverNow(world, [id])

  const events = await inbox.take(3)
  assert.deepEqual(
    events.map((event) => (event.type === 'scheduled_messages' ? event.op : event.type)),
    ['add', 'message', 'remove'],
  )
  const [message] = await recipientQueue.take(1)
  assert.deepEqual(message?.type === 'message' && message.flags, ['mentioned'])
  const [sent] = await inTopic('events')
  assert.deepEqual([sent?.sender_id, sent?.flags], [iris.user_id, []])
})

test('concurrent attempts of both nodes to deliver a message send it once', async () => {
  const id = await schedule(iris, { to: 'garden', topic: 'once' })
  // The claim keeps the delivery loops from sending the message during the attempts.
  await world.database.query("update scheduled_sender set claimed_until = now() + interval '1 minute'")
  await makeDue([id])
  const sender = { organization_id: world.organization_id as never, user_id: iris.user_id }
  const [due] = await listDueMessages(a.app.db, sender, 10)
  assert.ok(due)
  await Promise.all([a, b, a, b].map(({ app }) => deliverMessage(app, due)))
  await world.database.query("update scheduled_sender set claimed_until = '-infinity'")

  assert.equal((await inTopic('once')).length, 1)
  assert.deepEqual(await listScheduled(iris), [])
})

test('a message whose transaction crashes before the commit is sent by the next attempt', async () => {
  const id = await schedule(iris, { to: 'garden', topic: 'crash' })
  await sql`
    create function fail_once() returns trigger language plpgsql as $$ begin
      raise exception 'the node died' using errcode = '57P01';
    end $$`.execute(a.app.db)
  await sql`create trigger fail_once before delete on scheduled_message for each row execute function fail_once()`.execute(
    a.app.db,
  )
  await makeDue([id])
  await assert.rejects(eventually(() => deliverDue(a.app)))
  assert.deepEqual(await inTopic('crash'), [])
  await sql`drop trigger fail_once on scheduled_message`.execute(a.app.db)
  await deliverNow(world, [id])

  assert.equal((await inTopic('crash')).length, 1)
})

test('messages of one sender are sent in the order of their times, and of their ids if times are equal', async () => {
  const at = Math.floor(Date.now() / 1_000) + 1_000
  const ids: ScheduledMessageId[] = []
  for (const [content, later] of [
    ['3', 2],
    ['1', 0],
    ['2', 0],
    ['4', 2],
  ] as const)
    ids.push(await schedule(iris, { to: 'garden', topic: 'order', content, at: at + later }))
  const past = "deliver_at - interval '2000 seconds'"
  await world.database.query(
    `update scheduled_message set deliver_at = ${past}, attempt_at = ${past} where id = any($1)`,
    [ids],
  )
  await eventually(async () => (await listScheduled(iris)).length === 0)

  assert.deepEqual(
    (await inTopic('order')).map(({ content }) => content),
    ['1', '2', '3', '4'],
  )
})

test("other nodes do not deliver a claimed sender's messages until the claim is released or expires", async () => {
  const id = await schedule(otto, { to: 'garden', topic: 'claims' })
  const { db } = a.app
  const claim = '5f0e3a9e-9f3f-4f55-8f5b-3d1c1c6b1f10'
  // A single statement claims the sender and makes the message due, so that no node claims the
  // sender first.
  await sql`
    with due as (update scheduled_message set deliver_at = now(), attempt_at = now() where id = ${id})
    update scheduled_sender set claimed_until = now() + interval '1 hour', claimed_by = ${claim}
    where user_id = ${otto.user_id}`.execute(db)
  assert.equal(await deliverDue(b.app), false)
  assert.deepEqual(await inTopic('claims'), [])
  const sender = { organization_id: world.organization_id as never, user_id: otto.user_id }
  await releaseSenders(db, claim, [sender])
  await eventually(async () => (await inTopic('claims')).length === 1)
  assert.deepEqual(await claimSenders(db, claim, 10), [])
})

test('an unexpected error postpones only one message, and other messages of its sender are sent', async () => {
  const bad = await schedule(iris, { to: 'garden', topic: 'poison', content: 'bad' })
  const good = await schedule(iris, { to: 'garden', topic: 'poison', content: 'good' })
  await sql`
    alter table message add constraint poison check (content <> 'bad' or topic <> 'poison') not valid`.execute(
    a.app.db,
  )
  await makeDue([bad, good])
  await eventually(async () => (await inTopic('poison')).length === 1)
  await eventually(() => /a scheduled message failed and will be retried/.test(world.log.text))
  const [listed] = await listScheduled(iris)
  assert.deepEqual([listed?.content, listed?.failed], ['bad', false])
  await world.database.query('update scheduled_message set attempts = 7, attempt_at = now() where id = $1', [
    bad,
  ])
  await eventually(async () => (await listScheduled(iris))[0]?.failed)
  const [failed] = await listScheduled(iris)
  assert.equal(failed?.failure_message, 'Internal server error')
  await sql`alter table message drop constraint poison`.execute(a.app.db)
  await iris.scheduledMessages.remove({ scheduled_message_id: bad })
})

test("a message whose statements take too long is postponed, and other senders' messages are sent", async () => {
  const slow = await schedule(iris, { to: 'garden', topic: 'slow', content: 'slow' })
  const quick = await schedule(otto, { to: 'garden', topic: 'slow', content: 'quick' })
  await failWith('57014', 'insert', 'message', `new.content = 'slow' and new.topic = 'slow'`)
  await makeDue([slow, quick])
  await eventually(async () => (await inTopic('slow')).length === 1)
  await eventually(async () => ((await readAttempts(slow)) ?? 0) >= 1)

  assert.match(world.log.text, new RegExp(`"scheduled_message_id":${slow},"attempt":1,`))
  const [listed] = await listScheduled(iris)
  assert.deepEqual([listed?.content, listed?.failed], ['slow', false])
  await succeedAgain('message')
  await eventually(async () => (await inTopic('slow')).length === 2)
})

test('if a refused message cannot be marked as failed, delivery pauses only for its sender', async () => {
  const attic = await world.stream('attic')
  const refused = await schedule(iris, { to: attic.stream_id, content: 'refused' })
  const good = await schedule(otto, { to: 'garden', topic: 'marks' })
  await world.owner.streams.archive({ stream_id: attic.stream_id })
  await failWith('55P03', 'update', 'scheduled_message', 'new.failure is not null')
  await makeDue([refused, good])
  await eventually(async () => (await inTopic('marks')).length === 1)
  await eventually(() => /scheduled messages of an account failed/.test(world.log.text))
  const claims = await world.database.query(
    // A release would set this value. The claim itself may have expired on a slow machine.
    "select from scheduled_sender where user_id = $1 and claimed_until > '-infinity'",
    [iris.user_id],
  )

  assert.equal(claims.length, 1, 'the account is not tried again at once')
  await succeedAgain('scheduled_message')
  await world.database.query("update scheduled_sender set claimed_until = '-infinity'")
  await eventually(async () => (await listScheduled(iris))[0]?.failed)
  await iris.scheduledMessages.remove({ scheduled_message_id: refused })
})

test('messages are sent even if notices about refused messages fail', async () => {
  const shed = await world.stream('shed')
  const refused = await schedule(iris, { to: shed.stream_id, content: 'refused' })
  await world.owner.streams.archive({ stream_id: shed.stream_id })
  await failWith('55P03', 'update', 'scheduled_message', 'old.awaits_notice and not new.awaits_notice')
  await makeDue([refused])
  await eventually(() => /refused scheduled messages cannot be notified/.test(world.log.text))
  const good = await schedule(otto, { to: 'garden', topic: 'notices' })
  await makeDue([good])
  await eventually(async () => (await inTopic('notices')).length === 1)
  // Only a node that failed logs the recovery, and either node may send the notice.
  await eventually(() => world.log.text.split('refused scheduled messages cannot be notified').length > 2)

  await succeedAgain('scheduled_message')
  await eventually(() => /refused scheduled messages are notified again/.test(world.log.text))
  await iris.scheduledMessages.remove({ scheduled_message_id: refused })
})

test('claims are renewed and released without a scan of all senders', async () => {
  const sender = { organization_id: world.organization_id as never, user_id: otto.user_id }
  const claim = '5f0e3a9e-9f3f-4f55-8f5b-3d1c1c6b1f11'
  const scans = await a.app.db.transaction().execute(async (tx) => {
    // PostgreSQL would scan the small table sequentially although it has an index.
    await sql`set local enable_seqscan = off`.execute(tx)
    const count = async () => {
      const { rows } = await sql<{ seq_scan: number }>`
        select seq_scan from pg_stat_xact_user_tables where relname = 'scheduled_sender'`.execute(tx)
      return rows[0]?.seq_scan ?? Number.NaN
    }
    const before = await count()
    await renewClaims(tx, claim, [sender])
    await releaseSenders(tx, claim, [sender])
    return (await count()) - before
  })

  assert.equal(scans, 0)
})

/** Makes statements that affect some rows of a table fail with a PostgreSQL error code. */
async function failWith(code: string, operation: string, table: string, condition: string) {
  await world.database.query(`
    create or replace function fail_with() returns trigger language plpgsql as $$ begin
      raise exception 'made to fail' using errcode = '${code}';
    end $$`)
  await world.database.query(`
    create trigger fail_with before ${operation} on ${table} for each row when (${condition})
    execute function fail_with()`)
}

const succeedAgain = (table: string) => world.database.query(`drop trigger fail_with on ${table}`)

async function readAttempts(id: ScheduledMessageId) {
  const [row] = await world.database.query<{ attempts: number }>(
    'select attempts from scheduled_message where id = $1',
    [id],
  )
  return row?.attempts
}

/** Number of rounds of concurrent edits, deletions and deliveries. */
const rounds = bySize({ gate: 9, long: 300 })

test('an edit or deletion that races with the delivery either succeeds or finds no message', async () => {
  for (let round = 0; round < rounds; round++) {
    const topic = `race ${round}`
    const id = await schedule(iris, { to: 'garden', topic, content: 'old' })
    const isDeletion = round % 3 === 0
    await world.database.query(
      `update scheduled_message set deliver_at = now() + make_interval(secs => $2),
         attempt_at = now() + make_interval(secs => $2) where id = $1`,
      [id, Math.random() * 0.01],
    )
    const path = `/scheduled_messages/${id}`
    const [{ status }] = await Promise.all([
      isDeletion
        ? call(world, iris, `DELETE ${path}`)
        : call(world, iris, `PATCH ${path}`, { content: 'new' }),
      deliverDue(a.app),
      deliverDue(b.app),
    ])
    await eventually(async () => (await listScheduled(iris)).length === 0)
    const contents = (await inTopic(topic)).map(({ content }) => content)
    const expected = status === 404 ? ['old'] : isDeletion ? [] : ['new']
    assert.deepEqual(contents, expected, `round ${round}, status ${status}`)
  }
})
