import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileFieldId } from '@oxbow/contract'
import { type Person, request, startWorld, type World } from '@oxbow/testkit'

const refusal = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } })

/** Makes a world with fields of these names, in this order. */
async function worldWithFields(...names: string[]): Promise<{ world: World; ids: ProfileFieldId[] }> {
  const world = await startWorld()
  const ids: ProfileFieldId[] = []
  for (const name of names) ids.push((await world.owner.profileFields.create({ field_type: 1, name })).id)
  return { world, ids }
}

const listed = async (person: Person) =>
  (await person.on('b').profileFields.list()).custom_fields.map(({ id, name, order }) => ({
    id,
    name,
    order,
  }))

test('fields of every type are listed with all properties for everyone', async () => {
  await using world = await startWorld()
  const gus = await world.person('gus', 'guest')
  const bot = await world.bot('mower', gus)
  assert.deepEqual(await gus.profileFields.list(), { custom_fields: [] })
  const choices = { 1: { text: 'Rake', order: '1' } }
  const account = { subtype: 'custom', url_pattern: 'https://x.example/%(username)s' }
  const fields = [
    { field_type: 1, name: 'Short', hint: 'A word' },
    { field_type: 2, name: 'Long' },
    { field_type: 3, name: 'Tool', field_data: choices },
    { field_type: 4, name: 'Born', field_data: { ignored: 'here' } },
    { field_type: 5, name: ' Page ' },
    { field_type: 6, name: 'Friends' },
    { field_type: 7, name: 'Account', hint: 'Your name there', field_data: account },
  ]

  const ids: number[] = []
  for (const field of fields) ids.push((await world.owner.profileFields.create(field)).id)

  const expected = fields.map(({ field_type: type, name, hint = '' }, index) => ({
    id: ids[index],
    name: name.trim(),
    type,
    hint,
    field_data: type === 3 ? JSON.stringify(choices) : type === 7 ? JSON.stringify(account) : '',
    order: ids[index],
  }))
  for (const reader of [world.owner, gus, bot])
    assert.deepEqual((await reader.on('b').profileFields.list()).custom_fields, expected)
})

test('several errors of a field are reported in the order data, hint, name, type', async () => {
  const { world } = await worldWithFields('Taken')
  await using _ = world
  const [long, tooLong] = ['🌹'.repeat(40), '🌹'.repeat(41)]
  const hint = '🌹'.repeat(81)
  const cases: [params: Record<string, string>, msg: string][] = [
    [{ field_type: '3', name: '', hint }, 'Field must have at least one choice.'],
    [{ field_type: '1', name: '  ', hint }, 'Label cannot be blank.'],
    [{ field_type: '1' }, 'Label cannot be blank.'],
    [{ field_type: '1', name: tooLong, hint }, 'hint is too long (limit: 80 characters)'],
    [{ field_type: '1', name: tooLong }, 'name is too long (limit: 40 characters)'],
    [{ field_type: '9', name: tooLong }, 'name is too long (limit: 40 characters)'],
    [{ field_type: '0', name: 'Fine' }, 'Invalid field type.'],
    [{ field_type: '8', name: 'Taken' }, 'Invalid field type.'],
    [{ field_type: '-1', name: 'Fine' }, 'Invalid field type.'],
    [{ field_type: '1', name: 'Taken' }, 'A field with that label already exists.'],
    [{ field_type: '1', name: ' Taken ' }, 'A field with that label already exists.'],
    [{ field_type: '"1"', name: 'Fine' }, 'field_type is not an integer'],
    [{ field_type: '1', name: 'Fine', field_data: '[]' }, 'field_data is not a dict'],
  ]
  const create = (form: Record<string, string>) =>
    request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/realm/profile_fields',
      credentials: world.owner,
      form,
    })
  for (const [form, msg] of cases) {
    const { status, body } = await create(form)
    assert.deepEqual([status, body], [400, { result: 'error', code: 'BAD_REQUEST', msg }])
  }
  assert.deepEqual((await create({ name: 'Fine' })).body, {
    result: 'error',
    code: 'REQUEST_VARIABLE_MISSING',
    msg: "Missing 'field_type' argument",
    var_name: 'field_type',
  })
  for (const field_data of ['{"unclosed":', 'words', ''])
    assert.deepEqual((await create({ name: 'Fine', field_type: '1', field_data })).body, {
      result: 'error',
      code: 'REQUEST_VARIABLE_INVALID',
      msg: `Bad value for 'field_data': ${field_data}`,
      var_name: 'field_data',
      bad_value: field_data,
    })
  assert.equal((await listed(world.owner)).length, 1)
  await world.owner.profileFields.create({ field_type: 1, name: long, hint: '🌹'.repeat(80) })
})

test('updating a field changes name and hint, empties omitted values and keeps the type', async () => {
  const { world, ids } = await worldWithFields('Beds', 'Tools')
  await using _ = world
  const [field_id] = ids as [ProfileFieldId]
  const { profileFields } = world.owner

  await profileFields.update({ field_id, name: ' Borders ', hint: 'Where' })
  const [first] = (await profileFields.list()).custom_fields
  assert.deepEqual(first, {
    id: field_id,
    name: 'Borders',
    type: 1,
    hint: 'Where',
    field_data: '',
    order: field_id,
  })

  await profileFields.update({ field_id, name: 'Borders' })
  assert.equal((await profileFields.list()).custom_fields[0]?.hint, '')
  await assert.rejects(profileFields.update({ field_id }), refusal('Label cannot be blank.'))
  await assert.rejects(
    profileFields.update({ field_id, name: 'Tools' }),
    refusal('A field with that label already exists.'),
  )
  await assert.rejects(
    profileFields.update({ field_id, name: 'x', hint: 'x'.repeat(81) }),
    refusal('hint is too long (limit: 80 characters)'),
  )
  assert.equal((await profileFields.list()).custom_fields[0]?.name, 'Borders')
})

test('a predefined external account has a fixed name, can be added once and cannot be changed', async () => {
  await using world = await startWorld()
  const { profileFields } = world.owner
  const names = { twitter: 'Twitter', github: 'GitHub' }
  for (const [subtype, name] of Object.entries(names)) {
    const params = { field_type: 7, name: 'Ours', hint: 'x'.repeat(81), field_data: { subtype } }

    const { id: field_id } = await profileFields.create(params)

    const field = (await profileFields.list()).custom_fields.find(({ id }) => id === field_id)
    assert.equal(field?.name, name)
    assert.ok(field.hint !== '' && field.hint !== params.hint)
    assert.deepEqual(JSON.parse(field.field_data), { subtype })
    await assert.rejects(profileFields.create(params), refusal('A field with that label already exists.'))
    const change = { field_id, name: 'Else', field_data: { subtype } }
    await assert.rejects(profileFields.update(change), refusal('Default custom field cannot be updated.'))
    await profileFields.remove({ field_id })
  }
})

test('reordering fields requires the ids of all fields and changes the order of the list', async () => {
  const { world, ids } = await worldWithFields('One', 'Two', 'Three')
  await using _ = world
  const [one, two, three] = ids as [ProfileFieldId, ProfileFieldId, ProfileFieldId]
  const { profileFields } = world.owner
  const invalid = refusal('Invalid order mapping.')

  await profileFields.reorder({ order: [three, one, two] })
  assert.deepEqual(await listed(world.owner), [
    { id: three, name: 'Three', order: 0 },
    { id: one, name: 'One', order: 1 },
    { id: two, name: 'Two', order: 2 },
  ])
  for (const order of [[], [one, two], [one, two, 999 as ProfileFieldId]])
    await assert.rejects(profileFields.reorder({ order }), invalid)
  await profileFields.reorder({ order: [two, two, 999 as ProfileFieldId, one, three, three] })
  assert.deepEqual(
    (await listed(world.owner)).map(({ name }) => name),
    ['Two', 'One', 'Three'],
  )

  const { id } = await profileFields.create({ field_type: 1, name: 'Last' })
  assert.equal((await listed(world.owner)).at(-1)?.id, id)
})

test('an organization has at most a hundred fields, and the options of a field are limited', async () => {
  await using world = await startWorld()
  const { profileFields } = world.owner
  const option = { text: 'x'.repeat(100), order: '1' }
  const field_data = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`o${index}`, option]))
  await assert.rejects(
    profileFields.create({ field_type: 3, name: 'Options', field_data }),
    refusal('field_data is too long (limit: 50000 characters)'),
  )
  await world.database.query(
    `insert into profile_field (organization_id, name, type, hint, field_data, position)
     select $1, 'Field ' || n, 1, '', '', n from generate_series(1, 99) n`,
    [world.organization_id],
  )
  await profileFields.create({ field_type: 1, name: 'Last' })
  await assert.rejects(
    profileFields.create({ field_type: 1, name: 'One more' }),
    refusal('Too many profile fields in this organization (limit: 100)'),
  )
})

test('deleting a field deletes the values of all users', async () => {
  const { world, ids } = await worldWithFields('Beds', 'Tools')
  await using _ = world
  const [beds, tools] = ids as [ProfileFieldId, ProfileFieldId]
  const iris = await world.person('iris')
  await iris.users.setProfileData({
    data: [
      { id: beds, value: 'roses' },
      { id: tools, value: 'rake' },
    ],
  })

  await world.owner.profileFields.remove({ field_id: beds })

  await world.settled()
  const { profile_data = {} } = await iris.on('b').users.me()
  assert.deepEqual(Object.keys(profile_data), [String(tools)])
  const notFound = refusal(`Field id ${beds} not found.`)
  await assert.rejects(world.owner.profileFields.remove({ field_id: beds }), notFound)
  await assert.rejects(world.owner.profileFields.update({ field_id: beds }), notFound)
  const again = await world.owner.profileFields.create({ field_type: 1, name: 'Beds' })
  assert.notEqual(again.id, beds)
})

test('fields of one organization are invisible in another', async () => {
  const { world, ids } = await worldWithFields('Beds')
  await using _ = world
  const [field_id] = ids as [ProfileFieldId]
  const { owner } = await world.addOrganization('tea')
  const notFound = refusal(`Field id ${field_id} not found.`)

  assert.deepEqual(await owner.profileFields.list(), { custom_fields: [] })
  await assert.rejects(owner.profileFields.remove({ field_id }), notFound)
  await assert.rejects(owner.profileFields.update({ field_id, name: 'Leaves' }), notFound)
  await owner.profileFields.reorder({ order: [field_id] })
  await owner.profileFields.create({ field_type: 1, name: 'Beds' })

  assert.deepEqual(await listed(world.owner), [{ id: field_id, name: 'Beds', order: field_id }])
})

test('callers who are not administrators are refused before the parameters of fields are checked', async () => {
  const { world, ids } = await worldWithFields('Beds')
  await using _ = world
  const iris = await world.person('iris')
  const path = '/api/v1/realm/profile_fields'
  const calls = [
    ['POST', path],
    ['PATCH', path],
    ['PATCH', `${path}/${ids[0]}`],
    ['DELETE', `${path}/${ids[0]}`],
    ['DELETE', `${path}/0`],
  ] as const
  for (const [method, path] of calls) {
    const { status, body } = await request(world.nodes.a.url, { method, path, credentials: iris, form: {} })
    assert.equal(status, 400)
    assert.deepEqual(body, {
      result: 'error',
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    })
  }
})
