import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

const register = (form: Record<string, string>) =>
  request(world.nodes.a.url, { method: 'POST', path: '/api/v1/register', credentials: iris, form })

test('an invalid registration is refused with the reason', async () => {
  const cases: [form: Record<string, string>, msg: string, code?: string][] = [
    [{ event_types: 'message' }, 'Argument "event_types" is not valid JSON.'],
    [{ apply_markdown: 'yes' }, 'Argument "apply_markdown" is not valid JSON.'],
    [{ apply_markdown: '"yes"' }, 'apply_markdown is not a boolean'],
    [{ slim_presence: '1' }, 'slim_presence is not a boolean'],
    [{ all_public_streams: '[]' }, 'all_public_streams is not a boolean'],
    [{ include_subscribers: '{}' }, 'include_subscribers is not a boolean'],
    [{ event_types: '"message"' }, 'event_types is not a list'],
    [{ event_types: '[1]' }, 'event_types[0] is not a string'],
    [{ fetch_event_types: '["message", null]' }, 'fetch_event_types[1] is not a string'],
    [{ narrow: '{}' }, 'narrow is not a list'],
    [{ narrow: '[["stream"]]' }, 'narrow[0] should have exactly 2 items'],
    [{ narrow: '[["stream","garden"],["topic","a","b"]]' }, 'narrow[1] should have exactly 2 items'],
    [{ narrow: '[["near","5"]]' }, 'Operator near not supported.'],
    [{ narrow: '[["constructor","5"]]' }, 'Operator constructor not supported.'],
    [
      { event_types: JSON.stringify(Array.from({ length: 201 }, () => 'x')) },
      'event_types has too many items (limit: 200)',
    ],
    [
      { event_types: JSON.stringify(['x'.repeat(101)]) },
      'event_types[0] is too long (limit: 100 characters)',
    ],
    [
      { narrow: JSON.stringify(Array.from({ length: 51 }, () => ['is', 'x'])) },
      'narrow has too many items (limit: 50)',
    ],
    [{ client_capabilities: '[]' }, 'client_capabilities is not a dict'],
    [
      { client_capabilities: '{"notification_settings_null":true,"bulk_message_deletion":1}' },
      'client_capabilities["bulk_message_deletion"] is not a boolean',
    ],
    [
      { queue_lifespan_secs: 'soon' },
      "Bad value for 'queue_lifespan_secs': soon",
      'REQUEST_VARIABLE_INVALID',
    ],
    [{ queue_lifespan_secs: '-5' }, "Bad value for 'queue_lifespan_secs': -5", 'REQUEST_VARIABLE_INVALID'],
  ]
  const wrong: object[] = []
  for (const [form, msg, code = 'BAD_REQUEST'] of cases) {
    const { status, body } = await register(form)
    if (status !== 400 || body.msg !== msg || body.code !== code) wrong.push({ form, msg, status, body })
  }
  assert.deepEqual(wrong, [])
})

test('register returns all state by default, none for empty event_types, and only the types in fetch_event_types', async () => {
  const all = await iris.events.register()
  const none = await iris.events.register({ event_types: [] })
  const fetched = await iris.events.register({ event_types: [], fetch_event_types: ['realm_user'] })

  assert.ok(all.realm_users && all.realm_name !== undefined)
  assert.deepEqual(Object.keys(none).sort(), [
    'chat_feature_level',
    'chat_version',
    'last_event_id',
    'queue_id',
    'server_version',
  ])
  assert.ok(fetched.realm_users && fetched.realm_name === undefined)
})

test('every registration opens a new queue', async () => {
  const [one, two] = [await iris.events.register(), await iris.events.register()]

  assert.notEqual(one.queue_id, two.queue_id)
  await iris.events.deleteQueue({ queue_id: one.queue_id })
  const { events } = await iris.events.poll({ queue_id: two.queue_id, dont_block: true })
  assert.deepEqual(events, [])
})

test('an account has at most a thousand queues', async () => {
  const otto = await world.person('otto')
  await world.database.query(
    `insert into event_queue (id, organization_id, user_id, cut_seq, cut_snapshot, options, lifespan_seconds)
     select 'filler ' || n, organization_id, id, 0, '1:1:', '{}', 600
     from user_account, generate_series(1, 1000) n where id = $1`,
    [otto.user_id],
  )

  await assert.rejects(otto.events.register(), { message: 'Could not allocate event queue' })
  await iris.events.register({ fetch_event_types: [] })
  await world.database.query("delete from event_queue where id = 'filler 1'")
  await otto.events.register({ fetch_event_types: [] })
})
