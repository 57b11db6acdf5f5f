import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const { id: bed } = await owner.profileFields.create({ field_type: 1, name: 'Bed' })
const { id: born } = await owner.profileFields.create({ field_type: 4, name: 'Born' })

const patch = (caller: Person, user_id: number, form: Record<string, string>) =>
  request(world.nodes.a.url, { method: 'PATCH', path: `/api/v1/users/${user_id}`, credentials: caller, form })

const shown = async (person: Person) => {
  await world.settled()
  const { user } = await owner.on('b').users.get({
    user_id: person.user_id,
    include_custom_profile_fields: true,
  })
  const values = Object.entries(user.profile_data ?? {}).map(([id, { value }]) => [Number(id), value])
  return { full_name: user.full_name, is_guest: user.is_guest, values: Object.fromEntries(values) }
}

test('PATCH /users changes name, role and profile in one request', async () => {
  const response = await patch(owner, iris.user_id, {
    full_name: 'Iris Berg',
    role: '600',
    profile_data: JSON.stringify([
      { id: bed, value: 'roses' },
      { id: born, value: '2001-2-3' },
    ]),
  })

  assert.deepEqual([response.status, response.body], [200, { result: 'success', msg: '' }])
  assert.deepEqual(await shown(iris), {
    full_name: 'Iris Berg',
    is_guest: true,
    values: { [bed]: 'roses', [born]: '2001-2-3' },
  })
})

test('PATCH /users without parameters changes nothing', async () => {
  const before = await shown(iris)

  assert.equal((await patch(owner, iris.user_id, {})).status, 200)
  await owner.users.update({ user_id: iris.user_id, profile_data: [] })

  assert.deepEqual(await shown(iris), before)
})

test('PATCH /users/{id} refuses a password and changes nothing else', async () => {
  const before = await shown(iris)

  const { status, body } = await patch(owner, iris.user_id, {
    password: 'tall reeds 19',
    full_name: 'Iris Moss',
  })

  assert.equal(status, 400)
  assert.match(String(body.msg), /^Administrators cannot set another person's password\./)
  assert.deepEqual(await shown(iris), before)
})

test('empty profile values of every type clear their fields before other values are checked', async () => {
  for (const value of [null, '', [], 0]) {
    const user_id = iris.user_id
    await owner.users.update({ user_id, profile_data: [{ id: bed, value: 'roses' }] })
    await owner.users.update({
      user_id,
      profile_data: [
        { id: bed, value: 'tulips' },
        { id: bed, value },
        { id: born, value },
      ],
    })
    assert.deepEqual((await shown(iris)).values, { [bed]: 'tulips' })
    await owner.users.update({ user_id, profile_data: [{ id: bed, value }] })
    assert.deepEqual((await shown(iris)).values, {}, JSON.stringify(value))
  }
})

test('PATCH /users changes nothing if one part is refused', async () => {
  const user_id = iris.user_id
  await owner.users.update({ user_id, role: 400, profile_data: [{ id: bed, value: 'roses' }] })
  const before = await shown(iris)
  const good = { full_name: 'Another Name', role: '600', profile_data: `[{"id":${bed},"value":"tulips"}]` }
  const cases: [params: object, msg: string][] = [
    [{ full_name: 'x' }, 'Name too short!'],
    [{ role: '300' }, 'Invalid role'],
    [{ profile_data: '[{"id":0,"value":"x"}]' }, 'Field id 0 not found.'],
    [{ profile_data: '[{"id":0,"value":null}]' }, 'Field id 0 not found.'],
    [
      {
        profile_data: JSON.stringify([
          { id: bed, value: null },
          { id: born, value: 'never' },
        ]),
      },
      'Born is not a date',
    ],
    [
      {
        profile_data: JSON.stringify([
          { id: bed, value: 'tulips' },
          { id: bed, value: 'x'.repeat(51) },
        ]),
      },
      'Bed is too long (limit: 50 characters)',
    ],
  ]
  for (const [params, msg] of cases) {
    const { status, body } = await patch(owner, user_id, { ...good, ...params })
    assert.deepEqual([status, body], [400, { result: 'error', code: 'BAD_REQUEST', msg }])
    assert.deepEqual(await shown(iris), before)
  }
  const periods = await world.database.query(
    'select from role_period where user_id = $1 and to_outbox_id is null and role = 400',
    [user_id],
  )
  assert.equal(periods.length, 1)
})

test('PATCH /users refuses profile data that are not a list of ids and values', async () => {
  const cases: [input: string, msg: string][] = [
    ['x', 'Argument "profile_data" is not valid JSON.'],
    ['{}', 'profile_data is not a list'],
    ['null', 'profile_data is not a list'],
    ['[5]', 'profile_data[0] is not a dict'],
    ['[{"value":"x"}]', 'id key is missing from profile_data[0]'],
    ['[{"id":1}]', 'value key is missing from profile_data[0]'],
    ['[{"id":"1","value":"x"}]', 'profile_data[0]["id"] is not an integer'],
    ['[{"id":1,"value":1.5}]', 'profile_data[0]["value"] is not an allowed_type'],
    ['[{"id":1,"value":["x"]}]', 'profile_data[0]["value"] is not an allowed_type'],
    ['[{"id":1,"value":{}}]', 'profile_data[0]["value"] is not an allowed_type'],
    ['[{"id":1,"value":"x","more":1,"most":2}]', 'Unexpected arguments: more, most'],
  ]
  for (const [profile_data, msg] of cases) {
    const { status, body } = await patch(owner, iris.user_id, { profile_data })
    assert.deepEqual([status, body], [400, { result: 'error', code: 'BAD_REQUEST', msg }])
  }
})

test('only administrators of the same organization can use PATCH /users', async () => {
  const mia = await world.person('mia')
  const bot = await world.bot('mower', mia)
  const tea = await world.addOrganization('tea')

  for (const target of [iris, bot, mia]) {
    const { status, body } = await patch(mia, target.user_id, { full_name: 'Mine', role: 'x' })
    assert.equal(status, 400)
    assert.deepEqual(body, {
      result: 'error',
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    })
  }
  for (const user_id of [tea.owner.user_id, 0, 2 ** 40]) {
    const { status, body } = await patch(owner, user_id, { full_name: 'Mine' })
    assert.deepEqual([status, body.msg], [400, 'No such user'])
  }
})

test('PATCH /users changes bots and deactivated people even while name changes are disabled', async () => {
  await world.database.query('update organization set name_changes_disabled = true')
  const [mia, otto] = [await world.person('mia2'), await world.person('otto')]
  const bot = await world.bot('weeder', mia)
  await owner.users.deactivate({ user_id: otto.user_id })

  await owner.users.update({ user_id: bot.user_id, full_name: 'Weeding machine', role: 600 })
  await owner.users.update({ user_id: otto.user_id, full_name: 'Otto Gone', role: 600 })

  assert.deepEqual(await shown(bot), { full_name: 'Weeding machine', is_guest: true, values: {} })
  assert.deepEqual(await shown(otto), { full_name: 'Otto Gone', is_guest: true, values: {} })
})
