import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { openQueue, type Person, request, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'
import { collectNotices, listPendingNotices } from '../test/pending-notices.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')

const streamsNamed = (name: string) =>
  world.database.query<{ id: number }>('select id::int from stream where lower(name) = lower($1)', [name])

test('concurrent requests that create a stream with the same name create one stream', async () => {
  for (let round = 0; round < 10; round++) {
    const name = `race ${round}`
    const watcher = await openQueue(otto, { event_types: ['stream'] })
    const join = (person: Person, node: 'a' | 'b', streamName: string) =>
      person.on(node).subscriptions.subscribe({ subscriptions: [{ name: streamName }] })

    const notices = await collectNotices(world, () =>
      Promise.all([join(iris, 'a', name), join(owner, 'b', name.toUpperCase()), join(iris, 'b', ` ${name}`)]),
    )

    const made = await streamsNamed(name)
    assert.equal(made.length, 1)
    const { stream_id } = await owner.streams.getId({ stream: name })
    const { subscribers } = await owner.streams.members({ stream_id })
    assert.deepEqual(subscribers, [owner.user_id, iris.user_id])
    assert.equal(notices.length, 1, 'it was made once')
    await world.settled()
    const events = await watcher.rest()
    assert.deepEqual(
      events.map((event) => event.type === 'stream' && event.op),
      ['create', 'occupy'],
    )
  }
})

test('many concurrent subscribes and unsubscribes all succeed with consistent lists', async () => {
  const names = ['r0', 'r1', 'r2', 'r3']
  const subscriptions = names.map((name) => ({ name }))
  const crowd = await world.people('c0', 'c1', 'c2', 'c3')
  const everyone = [owner, ...crowd].map(({ user_id }) => user_id)

  const calls = crowd.flatMap((person, index) => {
    const here = person.on(index % 2 ? 'a' : 'b').subscriptions
    const backwards = { subscriptions: subscriptions.toReversed(), principals: everyone }
    return [
      here.subscribe({ subscriptions }),
      here.subscribe(backwards),
      here.unsubscribe({ subscriptions: names.toReversed() }).catch(ignoreMissing),
      here.subscribe({ subscriptions: [{ name: `r${index}` }] }),
    ]
  })
  await Promise.all(calls)

  for (const name of names) {
    assert.equal((await streamsNamed(name)).length, 1)
    const { stream_id } = await owner.streams.getId({ stream: name })
    const { subscribers } = await owner.streams.members({ stream_id })
    for (const person of [owner, ...crowd]) {
      const isSubscribed = (await person.subscriptions.list()).subscriptions.some((own) => own.name === name)
      assert.equal(subscribers.includes(person.user_id), isSubscribed)
    }
    const open = await world.database.query<{ user_id: UserId }>(
      'select user_id::int from subscription_period where stream_id = $1 and to_outbox_id is null order by 1',
      [stream_id],
    )
    assert.deepEqual(
      open.map(({ user_id }) => user_id),
      subscribers,
    )
  }
})

/**
 * Ignores the error that a stream does not exist: a request may unsubscribe before another one
 * creates the stream.
 */
function ignoreMissing(error: { errorName?: string }): void {
  if (error.errorName !== 'STREAM_DOES_NOT_EXIST') throw error
}

async function addAccounts(count: number): Promise<UserId[]> {
  const rows = await world.database.query<{ id: UserId }>(
    `with account as (
       insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
       select $1, 'crowd' || n || '@garden.example', 'Crowd ' || n, 400, sha256(n::text::bytea), ''
       from generate_series(1, $2) n returning organization_id, id),
     period as (
       insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
       select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account)
     insert into user_setting (organization_id, user_id)
     select organization_id, id from account returning user_id::int as id`,
    [world.organization_id, count],
  )
  return rows.map(({ id }) => id)
}

test('one request subscribes a thousand users to ten streams, and another unsubscribes them', {
  timeout: 240_000,
}, async () => {
  const principals = await addAccounts(1_000)
  const names = Array.from({ length: 10 }, (_, index) => `hall ${index}`)
  await world.stream(names[0] as string)
  const watcher = await openQueue(owner, { event_types: ['subscription'] })

  const response = await owner.subscriptions.subscribe({
    subscriptions: names.map((name) => ({ name })),
    principals,
  })

  const { subscribed, already_subscribed } = response
  assert.equal(Object.keys(subscribed).length, 1_000)
  assert.ok(Object.values(subscribed).every((list) => list.join() === names.join()))
  assert.deepEqual(already_subscribed, {})
  for (const stream of names) {
    const { stream_id } = await owner.streams.getId({ stream })
    const { subscribers } = await owner.on('b').streams.members({ stream_id })
    assert.equal(subscribers.length, stream === names[0] ? 1_001 : 1_000)
  }
  const received = new Set<string>()
  while (received.size < 10_000)
    for (const event of await watcher.take(1))
      if (event.type === 'subscription' && event.op === 'peer_add')
        received.add(`${event.stream_id} ${event.user_id}`)
  assert.equal(received.size, 10_000)
  const last = (await listPendingNotices(world)).at(-1)?.notices ?? []
  assert.deepEqual(
    last.map((notice) => ('users' in notice ? notice.users.length : notice.topic)),
    [1_000, ...Array(9).fill('stream events')],
  )

  const { removed, not_removed } = await owner.subscriptions.unsubscribe({ subscriptions: names, principals })
  assert.deepEqual([removed.length, not_removed.length], [10_000, 0])
  await assert.rejects(
    owner.subscriptions.subscribe({
      subscriptions: Array.from({ length: 11 }, (_, index) => ({ name: `too many ${index}` })),
      principals,
    }),
    refusal(
      'A request can change at most 10000 subscriptions: users × streams. Divide it into several requests.',
    ),
  )
  assert.deepEqual(await streamsNamed('too many 0'), [])
})

test('a request that is retried with its idempotency key runs once and gets the same response', async () => {
  const send = (on: 'a' | 'b', key: string, name: string) =>
    request(world.nodes[on].url, {
      method: 'POST',
      path: '/api/v1/users/me/subscriptions',
      credentials: iris,
      headers: { 'idempotency-key': key },
      form: { subscriptions: JSON.stringify([{ name }]) },
    })
  const before = (await listPendingNotices(world)).length

  const first = await send('a', 'one', 'once')
  await owner.streams.archive(await owner.streams.getId({ stream: 'once' }))
  // Without the key this request would create another stream.
  const again = await send('b', 'one', 'once')
  const crowd = await Promise.all([send('a', 'two', 'twice'), send('b', 'two', 'twice')])

  assert.deepEqual(first.body.subscribed, { [iris.email]: ['once'] })
  assert.deepEqual([again.status, again.body], [200, first.body])
  for (const { status, body } of crowd)
    assert.deepEqual([status, body.subscribed], [200, { [iris.email]: ['twice'] }])
  assert.deepEqual(await streamsNamed('once'), [])
  assert.equal((await listPendingNotices(world)).length, before + 2)
  const other = await send('a', 'one', 'other')
  assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
})
