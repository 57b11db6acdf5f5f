import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageFetch } from '@oxbow/contract'
import { expectSameState, openQueue, type Person, request, startWorld } from '@oxbow/testkit'
import { sql } from 'kysely'
import { readAdHoc, readLimited, StatementTooSlow } from '../../platform/database/ad-hoc.ts'
import type { Db } from '../../platform/database/database.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'

const world = await startWorld({ adHocTimeoutMs: 2_000 })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, otto, gus] })
const hidden = await world.stream('hidden', { by: otto, invite_only: true })
const say = (content: string, to = garden.stream_id, topic = 'roses') =>
  otto.messages.send({ type: 'stream', to, topic, content })

const fetch = (person: Person, fetch_messages: object) =>
  person.events.register({
    fetch_event_types: [],
    apply_markdown: true,
    fetch_messages: fetch_messages as MessageFetch,
  })

test('register returns the same messages as GET /messages', async () => {
  await say('Pruned **twice**.')
  const { id } = await say('Watered.')
  await otto.messages.send({ type: 'private', to: [iris.user_id], content: 'Hello.' })
  await say('Seen by few.', hidden.stream_id)

  for (const [person, options] of [
    [iris, { anchor: 'newest', num_before: 10, num_after: 0 }],
    [gus, { anchor: id, num_before: 1, num_after: 1 }],
    [otto, { narrow: [['stream', 'hidden']], anchor: 'first_unread', num_before: 10, num_after: 10 }],
    [
      iris,
      { narrow: [{ operator: 'search', operand: 'watered' }], anchor: '0', num_before: 0, num_after: 5 },
    ],
  ] as const) {
    const { fetched_messages, fetch_messages_error } = await fetch(person, options)
    const { anchor, ...rest } = options
    const listed = await person.messages.list({ ...rest, anchor: String(anchor) } as never)
    const { result, msg, ...page } = listed as unknown as Record<string, unknown>
    assert.deepEqual(fetched_messages, page)
    assert.equal(fetch_messages_error, undefined)
    assert.notEqual(fetched_messages?.messages.length, 0)
  }
})

test("fetched messages are rendered according to the queue's settings", async () => {
  await say('Pruned **twice**.')
  const { fetched_messages } = await iris.events.register({
    fetch_event_types: [],
    fetch_messages: { anchor: 'newest', num_before: 1, num_after: 0 },
  })

  const [message] = fetched_messages?.messages ?? []
  assert.equal(message?.content, 'Pruned **twice**.')
  assert.equal(message?.content_type, 'text/x-markdown')
})

test('an error in fetch_messages is reported in the response, and the queue still works', async () => {
  const page = { anchor: 'newest', num_before: 10, num_after: 10 }
  const hiddenStream = { operator: 'stream', operand: 'hidden' }
  const cases: [options: object, name: string, msg: string][] = [
    [{ ...page, narrow: [hiddenStream] }, 'BAD_NARROW', 'Invalid narrow operator: unknown stream hidden'],
    [
      { ...page, narrow: [{ operator: 'stream', operand: 'nowhere' }] },
      'BAD_NARROW',
      'Invalid narrow operator: unknown stream nowhere',
    ],
    [
      { ...page, narrow: [['colour', 'red']] },
      'BAD_NARROW',
      'Invalid narrow operator: unknown operator colour',
    ],
    [{ ...page, anchor: 'middle' }, 'INVALID_ANCHOR', 'Invalid anchor'],
    [
      { ...page, num_before: 5_000 },
      'TOO_MANY_MESSAGES_REQUESTED',
      'Too many messages requested (maximum 5000).',
    ],
  ]
  for (const [options, name, msg] of cases) {
    const { fetched_messages, fetch_messages_error, queue_id, last_event_id, alert_words } =
      await iris.events.register({
        fetch_event_types: ['alert_words'],
        fetch_messages: options as MessageFetch,
      })
    assert.deepEqual(fetch_messages_error, { name, msg })
    assert.equal(fetched_messages, undefined)
    assert.deepEqual(alert_words, [])
    const { id } = await say('After the refusal.')
    const { events } = await iris.events.poll({ queue_id, last_event_id })
    assert.deepEqual(
      events.map((event) => event.type === 'message' && event.message.id),
      [id],
    )
  }
})

test('POST /register refuses malformed fetch_messages with the reason', async () => {
  const cases: [fetch: string, msg: string][] = [
    ['newest', 'Argument "fetch_messages" is not valid JSON.'],
    ['[]', 'fetch_messages is not a dict'],
    ['{"anchor":"newest","num_before":1}', 'num_after key is missing from fetch_messages'],
    ['{"anchor":1.5,"num_before":1,"num_after":0}', 'fetch_messages["anchor"] is not a string or integer'],
    ['{"anchor":1,"num_before":-1,"num_after":0}', 'fetch_messages["num_before"] is negative'],
    ['{"anchor":1,"num_before":1,"num_after":0,"narrow":{}}', "Bad value for 'narrow': {}"],
  ]
  for (const [fetch_messages, expected] of cases) {
    const { status, body } = await request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/register',
      credentials: iris,
      form: { fetch_messages },
    })
    assert.deepEqual([status, body.msg], [400, expected])
  }
})

test('a statement that times out leaves the snapshot usable, with its statement timeout unchanged', async () => {
  const readLimit = async (db: Db) =>
    (await sql<{ text: string }>`select current_setting('statement_timeout') as text`.execute(db)).rows[0]
      ?.text
  const limits = await inSnapshot(world.nodes.a.app.db, async (snapshot) => {
    const before = await readLimit(snapshot)
    const slow = () => readAdHoc(snapshot, sql`select pg_sleep(60)`)
    await assert.rejects(readLimited(snapshot, slow), StatementTooSlow)
    return { before, after: await readLimit(snapshot) }
  })
  assert.equal(limits.after, limits.before)
})

const onDemand = { client_capabilities: { user_list_on_demand: true } }

test('with user_list_on_demand, the state lists only the account itself', async () => {
  const registered = await iris.events.register({ fetch_event_types: ['realm_user'] })
  const state = await iris.events.register({ fetch_event_types: ['realm_user', 'presence'], ...onDemand })

  assert.deepEqual(
    state.realm_users,
    registered.realm_users?.filter(({ user_id }) => user_id === iris.user_id),
  )
  assert.deepEqual(state.realm_non_active_users, [])
  assert.deepEqual(state.cross_realm_bots, registered.cross_realm_bots)
  assert.equal(state.full_name, registered.full_name)
})

test('with user_list_on_demand, a queue gets events of all users, and applying them gives the same state as a new register', async () => {
  const { owner } = world
  const queue = await openQueue(iris, { event_types: ['realm_user'], ...onDemand })
  const change = async () => {
    const added = await owner.users.create({
      email: 'nora@garden.example',
      full_name: 'Nora New',
      password: 'reed 12 heron lake',
    })
    await otto.presence.report({ status: 'active' })
    await owner.users.update({ user_id: otto.user_id, full_name: 'Otto Other' })
    await owner.users.update({ user_id: iris.user_id, full_name: 'Iris Ivy' })
    await owner.users.deactivate({ user_id: added.user_id })
    await owner.users.reactivate({ user_id: added.user_id })
  }
  await expectSameState(world, { iris, gus }, change, {
    registrations: [onDemand, { ...onDemand, client_external_avatar: true, slim_presence: false }],
  })

  const ops = (await queue.take(5)).map((event) => event.type === 'realm_user' && event.op)
  assert.deepEqual(ops, ['add', 'update', 'update', 'remove', 'add'])
})
