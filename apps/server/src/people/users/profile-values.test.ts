import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FieldValue, ProfileFieldId } from '@oxbow/contract'
import { eventually, type Person, request, startWorld } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, gone] = await world.people('iris', 'otto', 'gone')
const bot = await world.bot('mower', iris)
const tea = await world.addOrganization('tea')
await owner.users.deactivate({ user_id: gone.user_id })

const make = async (field_type: number, name: string, field_data = {}) =>
  (await owner.profileFields.create({ field_type, name, field_data })).id
const choices = { 0: { text: 'Spade', order: '1' }, rake: { text: 'Rake', order: '2' } }
const fields = {
  Short: await make(1, 'Short'),
  Long: await make(2, 'Long'),
  Tool: await make(3, 'Tool', choices),
  Born: await make(4, 'Born'),
  Page: await make(5, 'Page'),
  Friends: await make(6, 'Friends'),
  Account: await make(7, 'Account', { subtype: 'custom', url_pattern: 'https://x.example/%(username)s' }),
}
type Name = keyof typeof fields

const valuesOf = async (person: Person): Promise<Record<string, string | undefined>> => {
  await world.settled()
  const { profile_data = {} } = await person.on('b').users.me()
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, id]) => {
      const held = profile_data[id]
      return held ? [[name, held.value]] : []
    }),
  )
}

type Value = Exclude<FieldValue['value'], null>

const accepted: [Name, value: Value, kept: string][] = [
  ['Short', 'roses', 'roses'],
  ['Short', '🌹'.repeat(50), '🌹'.repeat(50)],
  ['Long', '🌹'.repeat(500), '🌹'.repeat(500)],
  ['Long', 'two\nlines', 'two\nlines'],
  ['Tool', '0', '0'],
  ['Tool', 'rake', 'rake'],
  ['Born', '1999-12-31', '1999-12-31'],
  ['Born', '2024-2-9', '2024-2-9'],
  ['Born', '2024-02-29', '2024-02-29'],
  ['Page', 'https://garden.example/roses?x=1#y', 'https://garden.example/roses?x=1#y'],
  ['Page', 'ftp://garden.example', 'ftp://garden.example'],
  ['Friends', [otto.user_id], `[${otto.user_id}]`],
  ['Friends', [otto.user_id, iris.user_id], `[${otto.user_id},${iris.user_id}]`],
  ['Account', 'iris-berg', 'iris-berg'],
  ['Account', 'x'.repeat(50), 'x'.repeat(50)],
]

const notAString = (name: Name): [Name, Value, string][] =>
  [5, [5]].map((value) => [name, value, `${name} is not a string`])

const refused: [Name, value: Value, msg: string][] = [
  ['Short', 'x'.repeat(51), 'Short is too long (limit: 50 characters)'],
  ['Short', '🌹'.repeat(51), 'Short is too long (limit: 50 characters)'],
  ...notAString('Short'),
  ['Long', '🌹'.repeat(501), 'Long is too long (limit: 500 characters)'],
  ...notAString('Long'),
  ['Tool', 'hoe', "'hoe' is not a valid choice for 'Tool'."],
  ['Tool', 'Spade', "'Spade' is not a valid choice for 'Tool'."],
  ['Tool', 'constructor', "'constructor' is not a valid choice for 'Tool'."],
  ['Tool', 7, "'7' is not a valid choice for 'Tool'."],
  ['Born', 'yesterday', 'Born is not a date'],
  ['Born', '31-12-1999', 'Born is not a date'],
  ['Born', '2023-02-29', 'Born is not a date'],
  ['Born', '2023-13-1', 'Born is not a date'],
  ['Born', '2023-1-1T00:00', 'Born is not a date'],
  ...notAString('Born'),
  ['Page', 'garden.example', 'Page is not a URL'],
  ['Page', 'javascript:alert(1)', 'Page is not a URL'],
  ['Page', 'https://', 'Page is not a URL'],
  ['Page', 'https://a b.example', 'Page is not a URL'],
  ...notAString('Page'),
  ['Friends', 'otto', 'User IDs is not a list'],
  ['Friends', otto.user_id, 'User IDs is not a list'],
  ['Friends', [0], 'Invalid user ID: 0'],
  ['Friends', [otto.user_id, 2 ** 50], `Invalid user ID: ${2 ** 50}`],
  ['Friends', [tea.owner.user_id], `Invalid user ID: ${tea.owner.user_id}`],
  ['Friends', [gone.user_id], `User with ID ${gone.user_id} is deactivated`],
  ['Friends', Array.from({ length: 101 }, () => otto.user_id), 'User IDs has too many items (limit: 100)'],
  ['Friends', [otto.user_id, bot.user_id], `User with ID ${bot.user_id} is a bot`],
  ['Account', 'x'.repeat(51), 'Account is too long (limit: 50 characters)'],
  ...notAString('Account'),
]

const wayIn: Record<string, (id: ProfileFieldId, value: Value) => Promise<object>> = {
  'one oneself': (id, value) => iris.users.setProfileData({ data: [{ id, value }] }),
  'an administrator': (id, value) =>
    owner.users.update({ user_id: iris.user_id, profile_data: [{ id, value }] }),
}

for (const [who, give] of Object.entries(wayIn)) {
  test(`profile values that ${who} may set are stored as text`, async () => {
    for (const [name, value, stored] of accepted) {
      await give(fields[name], value)
      assert.equal((await valuesOf(iris))[name], stored)
    }
  })

  test(`invalid profile values of ${who} are refused with the field's name and change nothing`, async () => {
    const before = await valuesOf(iris)
    for (const [name, value, msg] of refused) {
      const body = { result: 'error', code: 'BAD_REQUEST', msg }
      await assert.rejects(give(fields[name], value), { status: 400, body }, `${name}: ${value}`)
    }
    assert.deepEqual(await valuesOf(iris), before)
  })
}

test('a request sets either all profile fields or none, and stores the last of repeated values', async () => {
  const data = [
    { id: fields.Short, value: 'first' },
    { id: fields.Born, value: '2000-01-01' },
    { id: fields.Short, value: 'last' },
  ]
  await otto.users.setProfileData({ data })
  assert.deepEqual(await valuesOf(otto), { Short: 'last', Born: '2000-01-01' })

  const halfBad = [
    { id: fields.Short, value: 'changed' },
    { id: fields.Born, value: 'never' },
  ]
  await assert.rejects(otto.users.setProfileData({ data: halfBad }), { message: 'Born is not a date' })
  assert.deepEqual(await valuesOf(otto), { Short: 'last', Born: '2000-01-01' })
})

test('a value names each person once', async () => {
  const fern = await world.person('fern')
  const value = [otto.user_id, iris.user_id, otto.user_id]
  await fern.users.setProfileData({ data: [{ id: fields.Friends, value }] })
  assert.deepEqual(await valuesOf(fern), { Friends: JSON.stringify([otto.user_id, iris.user_id]) })
})

test('a request sets at most as many values as an organization may have fields', async () => {
  const data = Array.from({ length: 101 }, () => ({ id: fields.Friends, value: [otto.user_id] }))
  const refused = { message: 'data has too many items (limit: 100)' }
  await assert.rejects(otto.users.setProfileData({ data }), refused)
  await assert.rejects(otto.users.clearProfileData({ data: data.map(({ id }) => id) }), refused)
})

test('all values of a person together are limited, including their HTML', async () => {
  const mia = await world.person('mia')
  const value = '<'.repeat(500)
  const set = (id: ProfileFieldId, text = value) => mia.users.setProfileData({ data: [{ id, value: text }] })
  for (let index = 0; index < 19; index++) await set(await make(2, `Chapter ${index}`))
  const last = await make(2, 'Chapter 19')
  await assert.rejects(set(last), {
    message:
      'The values of this profile are too long together (limit: 50000 characters with their formatting). Shorten some.',
  })
  await set(last, 'Short')
})

test('a user can clear profile values even if they are not set', async () => {
  const { Short, Born, Long } = fields
  await otto.users.clearProfileData({ data: [Short, Long, Short] })
  assert.deepEqual(await valuesOf(otto), { Born: '2000-01-01' })

  await otto.users.clearProfileData({ data: [] })
  await assert.rejects(otto.users.clearProfileData({ data: [Born, 0 as ProfileFieldId] }), {
    status: 400,
    body: { result: 'error', code: 'BAD_REQUEST', msg: 'Field id 0 not found.' },
  })

  assert.deepEqual(await valuesOf(otto), { Born: '2000-01-01' })
  assert.notDeepEqual(await valuesOf(iris), {})
})

test('a profile field of another organization is not found', async () => {
  const [row] = await world.database.query<{ id: ProfileFieldId }>(
    `insert into profile_field (organization_id, name, type, hint, field_data, position)
     values ($1, 'Leaf', 1, '', '', 0) returning id::int`,
    [tea.organization_id],
  )
  const id = row?.id as ProfileFieldId
  const notFound = { status: 400, message: `Field id ${id} not found.` }

  await assert.rejects(iris.users.setProfileData({ data: [{ id, value: 'x' }] }), notFound)
  await assert.rejects(iris.users.clearProfileData({ data: [id] }), notFound)
  await assert.rejects(
    owner.users.update({ user_id: iris.user_id, profile_data: [{ id, value: 'x' }] }),
    notFound,
  )
})

test('profile data that are not a list of ids and values are refused', async () => {
  const path = '/api/v1/users/me/profile_data'
  const cases: [method: string, data: string | undefined, msg: string][] = [
    ['PATCH', undefined, "Missing 'data' argument"],
    ['PATCH', '{}', 'data is not a list'],
    ['PATCH', '[1]', 'data[0] is not a dict'],
    ['PATCH', '[{"id":1,"value":null}]', 'data[0]["value"] is not an allowed_type'],
    ['PATCH', '[{"id":1,"value":true}]', 'data[0]["value"] is not an allowed_type'],
    ['PATCH', '[{"id":1}]', 'value key is missing from data[0]'],
    ['PATCH', '[{"id":1,"value":"x","y":1}]', 'Unexpected arguments: y'],
    ['DELETE', undefined, "Missing 'data' argument"],
    ['DELETE', '5', 'data is not a list'],
    ['DELETE', '["5"]', 'data[0] is not an integer'],
    ['DELETE', 'x', 'Argument "data" is not valid JSON.'],
  ]
  for (const [method, data, msg] of cases) {
    const form: Record<string, string> = data === undefined ? {} : { data }
    const response = await request(world.nodes.a.url, { method, path, credentials: iris, form })
    assert.deepEqual([response.status, response.body.msg], [400, msg])
  }
})

test('setting a field that is concurrently deleted is refused', async () => {
  const { user_id } = iris
  const ways = [
    (id: ProfileFieldId) => iris.users.setProfileData({ data: [{ id, value: 'x' }] }),
    (id: ProfileFieldId) => owner.users.update({ user_id, profile_data: [{ id, value: 'x' }] }),
  ]
  const other = new pg.Client(connectionOptions(world.database.url))
  await other.connect()
  for (const [index, fillIn] of ways.entries()) {
    const id = await make(1, `Doomed ${index}`)
    await other.query('begin')
    await other.query('delete from profile_field where id = $1', [id])
    const filled = assert.rejects(fillIn(id), { status: 400, message: `Field id ${id} not found.` })
    await eventually(async () => {
      const waiting = await world.database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length > 0
    })
    await other.query('commit')
    await filled
  }
  await other.end()
})

test('requests to set profile values of bots are refused', async () => {
  const notForBots = { status: 400, message: 'This endpoint does not accept bot requests.' }
  await assert.rejects(bot.users.setProfileData({ data: [] }), notForBots)
  await assert.rejects(bot.users.clearProfileData({ data: [] }), notForBots)
})
