import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Endpoint, listEndpoints, type Params } from '@oxbow/contract'
import { schemaOf } from '@oxbow/contract/openapi'
import type { Client } from '@oxbow/sdk'
import { type Person, startWorld, type World } from '@oxbow/testkit'
import { outcome } from './callers.ts'

let world: World
let victim: Person
let field: number
let hill: { organization_id: number; owner: Person }
/** The owner of the other organization, at their own host. */
let intruder: Client

before(async () => {
  world = await startWorld()
  victim = await world.person('victim')
  field = (await world.owner.profileFields.create({ name: 'Motto', field_type: 1 })).id
  await world.owner.users.update({
    user_id: victim.user_id,
    profile_data: [{ id: field as never, value: 'quiet' }],
  })
  hill = await world.addOrganization('hill')
  intruder = hill.owner
})
after(() => world[Symbol.asyncDispose]())

/** Every endpoint that takes an id, called with one of the other organization. */
const attempts: Record<string, () => [given: object, answer: string][]> = {
  'users.get': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'users.update': () => [
    [{ user_id: victim.user_id, full_name: 'Taken Over' }, 'NO_SUCH_USER'],
    [{ user_id: victim.user_id, role: 200 }, 'NO_SUCH_USER'],
    [{ user_id: hill.owner.user_id, profile_data: [{ id: field, value: 'x' }] }, 'FIELD_NOT_FOUND'],
  ],
  'users.deactivate': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'users.reactivate': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'users.setProfileData': () => [[{ data: [{ id: field, value: 'x' }] }, 'FIELD_NOT_FOUND']],
  'users.clearProfileData': () => [[{ data: [field] }, 'FIELD_NOT_FOUND']],
  'profileFields.update': () => [[{ field_id: field, name: 'Renamed' }, 'FIELD_NOT_FOUND']],
  'profileFields.remove': () => [[{ field_id: field }, 'FIELD_NOT_FOUND']],
  // Ids of no field of one's own do no harm there, and must not.
  'profileFields.reorder': () => [[{ order: [field] }, 'ok']],
}

test('every endpoint that takes an id is tried', () => {
  const takesId = ({ params }: Endpoint) =>
    Object.values(params as Params).some(({ schema }) =>
      /"format":"[a-z-]+-id"/.test(JSON.stringify(schemaOf(schema, 'input'))),
    )
  const expected = listEndpoints().filter(({ endpoint }) => takesId(endpoint))
  assert.deepEqual(new Set(Object.keys(attempts)), new Set(expected.map(({ name }) => name)))
})

for (const [name, calls] of Object.entries(attempts)) {
  test(`${name} reaches nothing of another organization`, async () => {
    for (const [given, answer] of calls()) {
      const before = await everythingOf(world.organization_id)
      assert.equal(await outcome(intruder, name, given), answer, JSON.stringify(given))
      assert.deepEqual(await everythingOf(world.organization_id), before)
    }
  })
}

test('a person of another organization cannot be named in a profile', async () => {
  const { id } = await intruder.profileFields.create({ name: 'Mentor', field_type: 6 })
  const naming = { data: [{ id, value: [victim.user_id] }] }
  assert.equal(await outcome(intruder, 'users.setProfileData', naming), 'VALUE_USER_INVALID')
})

test('lists hold only what is of the organization', async () => {
  const { members } = await intruder.users.list({ include_custom_profile_fields: true })
  assert.deepEqual(
    members.map((member) => member.user_id),
    [hill.owner.user_id],
  )
  const { custom_fields } = await intruder.profileFields.list()
  assert.ok(custom_fields.every(({ id }) => id !== field))
  const { realm_name } = await intruder.server.settings()
  assert.equal(realm_name, 'The hill team')
})

test('a password opens an account only at its own host', async () => {
  const given = { username: victim.email, password: victim.password }
  assert.equal(await outcome(intruder, 'authentication.fetchApiKey', given), 'LOGIN_INCORRECT')
  assert.equal(await outcome(world.anonymous(), 'authentication.fetchApiKey', given), 'ok')
})

test('the same address may have an account in each organization', async () => {
  const given = { email: victim.email, password: 'heron lake 77 reeds', full_name: 'Victim Elsewhere' }
  assert.equal(await outcome(intruder, 'users.create', given), 'ok')
})

/** All rows of an organization, whatever tables there are. */
async function everythingOf(organization_id: number): Promise<unknown> {
  const tables = await world.database.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  )
  const rows = tables.map(async ({ table_name }) => [
    table_name,
    await world.database.query(`select * from ${table_name} t where organization_id = $1 order by t::text`, [
      organization_id,
    ]),
  ])
  const organization = world.database.query('select * from organization where id = $1', [organization_id])
  return Promise.all([...rows, organization])
}
