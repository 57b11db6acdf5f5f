import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { type Person, startWorld, type World } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { listPendingNotices } from '../test/pending-notices.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
await world.stream('private', { members: [otto], invite_only: true })

/**
 * Returns the streams and subscriptions of the organization, the number of its newest record, and
 * all queued notices.
 */
async function readTables({ database, organization_id }: World): Promise<unknown> {
  const read = (columns: string, table: string, order: string) =>
    database.query(`select ${columns} from ${table} where organization_id = $1 order by ${order}`, [
      organization_id,
    ])
  const [streams, subscriptions, periods, heads] = await Promise.all([
    read('*', 'stream', 'id'),
    read('*', 'subscription', 'user_id, stream_id'),
    read('*', 'subscription_period', 'user_id, stream_id, from_outbox_id'),
    read('last_seq', 'event_head', 'organization_id'),
  ])
  return { streams, subscriptions, periods, heads, notices: await listPendingNotices(world) }
}

/** Sends the request, expects the refusal, and checks that nothing changed. */
async function refuses(by: Person, params: Record<string, unknown>, refused: object): Promise<void> {
  await world.settled()
  const before = await readTables(world)
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const response = await call(world, by, 'POST /users/me/subscriptions', Object.fromEntries(texts))
  assert.deepEqual(response, refused, JSON.stringify(params))
  await world.settled()
  assert.deepEqual(await readTables(world), before, JSON.stringify(params))
}

const setOrganization = (columns: string) => world.database.query(`update organization set ${columns}`)

beforeEach(() =>
  setOrganization(
    'create_stream_policy = 1, invite_to_stream_policy = 1, waiting_period_threshold = 0, plan_type = 1',
  ),
)

const fresh = [{ name: 'fresh' }]
const retention = (bad_value: string) =>
  refusal(`Bad value for 'message_retention_days': ${bad_value}`, {
    code: 'REQUEST_VARIABLE_INVALID',
    var_name: 'message_retention_days',
    bad_value,
  })

test('invalid values are reported with parameter name and position', async () => {
  const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscriptions' }
  const tooLong = 'subscriptions[1]["description"] is too long (limit: 1024 characters)'
  const cases: [params: Record<string, unknown>, refused: string | object][] = [
    [{}, refusal("Missing 'subscriptions' argument", missing)],
    [{ subscriptions: 'garden' }, 'Argument "subscriptions" is not valid JSON.'],
    [{ subscriptions: {} }, 'subscriptions is not a list'],
    [{ subscriptions: ['garden'] }, 'subscriptions[0] is not a dict'],
    [{ subscriptions: [{ color: '#123456' }] }, 'name key is missing from subscriptions[0]'],
    [{ subscriptions: [{ name: 7 }] }, 'subscriptions[0]["name"] is not a string'],
    [{ subscriptions: [...fresh, { name: 'x', size: 1, age: 2 }] }, 'Unexpected arguments: size, age'],
    [{ subscriptions: [{ name: 'x', color: 7 }] }, 'subscriptions[0]["color"] is not a string'],
    [{ subscriptions: [...fresh, { name: 'x', description: '🌹'.repeat(1_025) }] }, tooLong],
    [
      { subscriptions: [{ name: 'x', description: 'a\0b' }] },
      'subscriptions[0]["description"] contains a NUL character',
    ],
    [{ principals: 7 }, 'principals is not an allowed_type'],
    [{ principals: [iris.user_id, otto.email] }, 'principals is not an allowed_type'],
    [{ principals: [true] }, 'principals is not an allowed_type'],
    [{ authorization_errors_fatal: 1 }, 'authorization_errors_fatal is not a boolean'],
    [{ announce: 'yes' }, 'Argument "announce" is not valid JSON.'],
    [{ invite_only: '"true"' }, 'invite_only is not a boolean'],
    [{ history_public_to_subscribers: 0 }, 'history_public_to_subscribers is not a boolean'],
    [{ stream_post_policy: 4 }, 'Invalid stream_post_policy'],
    [{ stream_post_policy: 0 }, 'Invalid stream_post_policy'],
    [{ stream_post_policy: '"1"' }, 'stream_post_policy is not an integer'],
    [{ message_retention_days: true }, 'message_retention_days is not a string or integer'],
    [{ message_retention_days: 0 }, retention('0')],
    [{ message_retention_days: -1 }, retention('-1')],
    [{ message_retention_days: '"always"' }, retention('always')],
  ]
  for (const [params, refused] of cases) {
    const expected = typeof refused === 'string' ? refusal(refused) : refused
    const expectedBody =
      Object.keys(params).length === 0 || params.subscriptions ? params : { subscriptions: fresh, ...params }
    await refuses(owner, expectedBody, expected)
  }
})

test('a colour without three to six hex digits is refused', async () => {
  for (const color of ['#ab', '#1234567', '123456', 'red', '#12345g', '#123 ', ''])
    await refuses(
      owner,
      { subscriptions: [...fresh, { name: 'x', color }] },
      refusal('subscriptions[1]["color"] is not a valid hex color code'),
    )
})

test('guests are refused before any other check', async () => {
  for (const params of [{}, { subscriptions: 'nonsense' }, { subscriptions: fresh }])
    await refuses(gus, params, refusal('Not allowed for guest users'))
})

/** A request with every possible error, so that the reported error shows the order of checks. */
const wrong = {
  subscriptions: [{ name: 'private' }, { name: 'fresh' }],
  message_retention_days: 5,
  principals: [999_999],
}
const nobody = refusal("User not authorized to execute queries on behalf of '999999'", {
  status: 403,
  code: 'UNAUTHORIZED_PRINCIPAL',
  principal: 999_999,
})

test('a request with several errors reports the first of: names, creation, access, subscribing others, principals', async () => {
  await setOrganization('create_stream_policy = 2, invite_to_stream_policy = 2, plan_type = 2')
  const { message_retention_days: _, ...unkept } = wrong

  const blank = { ...wrong, subscriptions: [...wrong.subscriptions, { name: '' }] }
  await refuses(iris, blank, refusal("Invalid stream name ''"))
  await refuses(iris, wrong, refusal('User cannot create streams.'))
  await refuses(ada, wrong, refusal('User cannot create stream with this settings.'))
  await refuses(owner, wrong, refusal('The plan of this organization does not include this.'))
  await refuses(owner, unkept, refusal('Unable to access stream (private).'))
  const joined = { subscriptions: [{ name: 'private' }], principals: [999_999] }
  await refuses(otto, joined, refusal("Only administrators can modify other users' subscriptions."))
  await setOrganization('invite_to_stream_policy = 1')
  await refuses(otto, joined, nobody)
})

test('a refusal by a later check leaves no streams, events or jobs', async () => {
  const subscriptions = [{ name: 'fresh' }, { name: 'other', description: 'Words' }]
  const made = { subscriptions, announce: true }

  await refuses(iris, { ...made, principals: [otto.user_id, 999_999] }, nobody)
  await refuses(
    iris,
    { ...made, subscriptions: [...subscriptions, { name: 'Private' }] },
    refusal('Unable to access stream (Private).'),
  )
  await setOrganization('invite_to_stream_policy = 2')
  await refuses(
    iris,
    { ...made, principals: [otto.user_id] },
    refusal("Only administrators can modify other users' subscriptions."),
  )
})

test('a request with too many streams is refused', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `many ${index}` }))
  await refuses(
    owner,
    { subscriptions: many(1_001) },
    refusal('subscriptions has too many items (limit: 1000)'),
  )
})
