import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DefaultStreamGroupId } from '@oxbow/contract'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris] = await world.people('iris')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
for (const name of ['Beds', 'Tools', 'Seeds']) await world.stream(name)
const news = await world.stream('News')
await owner.defaultStreams.add(news)
await world.stream('Hidden', { invite_only: true })

let count = 0
const create = async (...stream_names: string[]) => {
  const group_name = `Group ${++count}`
  const { id } = await owner.defaultStreams.createGroup({ group_name, description: 'Words', stream_names })
  return { group_id: id, group_name }
}
const groups = async (person: Person) =>
  (await person.on('b').events.register({ fetch_event_types: ['default_stream_groups'] }))
    .realm_default_stream_groups
const find = async (id: DefaultStreamGroupId) => (await groups(iris))?.find((group) => group.id === id)
const namesIn = async (id: DefaultStreamGroupId) => (await find(id))?.streams.map(({ name }) => name)
const unknown = (id: number) => refusal(`Default stream group with id '${id}' does not exist.`)

test('default stream groups list their streams sorted by name, and guests see no groups', async () => {
  const { group_id, group_name } = await create(' tools ', 'BEDS', 'beds')

  const group = await find(group_id)
  const { streams } = await iris.streams.list()
  assert.deepEqual(group, {
    id: group_id,
    name: group_name,
    description: 'Words',
    streams: ['Beds', 'Tools'].map((name) => streams.find((stream) => stream.name === name)),
  })
  assert.deepEqual(await groups(gus), [])
})

test('default stream groups are sorted by name, and names are case-sensitive', async () => {
  const make = (group_name: string) =>
    owner.defaultStreams.createGroup({ group_name, description: '', stream_names: [] })
  for (const name of ['zeal', 'Zeal', 'ZEAL']) await make(name)

  const names = (await groups(iris))?.map(({ name }) => name) ?? []
  assert.deepEqual(
    names.filter((name) => /zeal/i.test(name)),
    ['ZEAL', 'Zeal', 'zeal'],
  )
  await assert.rejects(make('Zeal'), refusal("Default stream group 'Zeal' already exists"))
})

test('invalid new groups are refused with their errors', async () => {
  await create()
  const taken = `Group ${count}`
  const before = await groups(iris)
  const isDefault = "'News' is a default stream and cannot be added to 'New'"
  const missing = (var_name: string) =>
    refusal(`Missing '${var_name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name })
  const cases: [params: Record<string, string | undefined>, refused: string | object][] = [
    [{ stream_names: '["Beds","Nowhere"]', group_name: '' }, "Invalid stream name 'Nowhere'"],
    [{ stream_names: '["Beds","news"]' }, isDefault],
    [{ group_name: ' ' }, "Invalid default stream group name ' '"],
    [{ group_name: '🌹'.repeat(61) }, 'Default stream group name too long (limit: 60 characters)'],
    [{ group_name: 'a\0b' }, "Default stream group name 'a\0b' contains NULL (0x00) characters."],
    [{ group_name: taken }, `Default stream group '${taken}' already exists`],
    [{ description: 'x'.repeat(1_025) }, 'description is too long (limit: 1024 characters)'],
    [{ stream_names: '"Beds"' }, 'stream_names is not a list'],
    [{ stream_names: '[1]' }, 'stream_names[0] is not a string'],
    [{ stream_names: 'Beds' }, 'Argument "stream_names" is not valid JSON.'],
    [{ stream_names: undefined }, missing('stream_names')],
    [{ description: undefined }, missing('description')],
    [{ group_name: undefined }, missing('group_name')],
  ]
  for (const [params, refused] of cases) {
    const groupParams = { group_name: 'New', description: 'Words', stream_names: '["Beds"]', ...params }
    const sent = Object.fromEntries(Object.entries(groupParams).filter(([, value]) => value !== undefined))
    assert.deepEqual(
      await call(world, owner, 'POST /default_stream_groups/create', sent as Record<string, string>),
      typeof refused === 'string' ? refusal(refused) : refused,
    )
  }
  // An administrator cannot add a private stream without being subscribed to it.
  await assert.rejects(
    ada.defaultStreams.createGroup({ group_name: 'New', description: '', stream_names: ['Hidden'] }),
    refusal("Invalid stream name 'Hidden'"),
  )
  assert.deepEqual(await groups(iris), before)
})

test("a group's name and description can be changed, sent as text or as JSON", async () => {
  const { group_id, group_name } = await create('Seeds')
  const path = `PATCH /default_stream_groups/${group_id}`
  const shown = async () => {
    const group = await find(group_id)
    return [group?.name, group?.description]
  }

  await call(world, owner, path, { new_description: '"Other \\"words\\""' })
  assert.deepEqual(await shown(), [group_name, 'Other "words"'])
  await call(world, owner, path, { new_group_name: '"Quoted"' })
  await call(world, owner, path, { new_group_name: 'quoted', new_description: 'Raw' })
  assert.deepEqual(await shown(), ['quoted', 'Raw'])
  await owner.defaultStreams.updateGroup({ group_id, new_group_name: 'Quoted', new_description: '' })
  assert.deepEqual(await shown(), ['Quoted', 'Raw'])
})

test('invalid changes of a group are refused with their errors', async () => {
  const other = await create()
  const { group_id, group_name } = await create()
  const before = await find(group_id)
  const nothing = 'You must pass "new_description" or "new_group_name".'
  const cases: [params: Record<string, string>, msg: string][] = [
    [{}, nothing],
    [{ new_group_name: '', new_description: '""' }, nothing],
    [
      { new_group_name: group_name, new_description: 'x' },
      `This default stream group is already named '${group_name}'`,
    ],
    [{ new_group_name: other.group_name }, `Default stream group '${other.group_name}' already exists`],
    [{ new_group_name: '  ', new_description: 'x' }, "Invalid default stream group name '  '"],
    [{ new_group_name: 'x'.repeat(61) }, 'Default stream group name too long (limit: 60 characters)'],
    [{ new_group_name: '"\\u0000"' }, "Default stream group name '\0' contains NULL (0x00) characters."],
    [{ new_description: 'x'.repeat(1_025) }, 'new_description is too long (limit: 1024 characters)'],
  ]
  for (const [params, msg] of cases)
    assert.deepEqual(
      await call(world, owner, `PATCH /default_stream_groups/${group_id}`, params),
      refusal(msg),
    )
  assert.deepEqual(await find(group_id), before)
})

test('adding or removing streams of a group changes nothing if one of them is refused', async () => {
  const { group_id, group_name } = await create('Beds')
  const change = (op: string, ...stream_names: string[]) =>
    owner.defaultStreams.changeGroupStreams({ group_id, op, stream_names })

  await change('add', 'tools', 'Seeds')
  assert.deepEqual(await namesIn(group_id), ['Beds', 'Seeds', 'Tools'])
  await change('remove', 'BEDS')

  const isDefault = `'News' is a default stream and cannot be added to '${group_name}'`
  const present = `Stream 'Tools' is already present in default stream group '${group_name}'`
  const absent = `Stream 'Beds' is not present in default stream group '${group_name}'`
  const op = 'Invalid value for "op". Specify one of "add" or "remove".'
  const cases: [op: string, names: string[], msg: string][] = [
    ['add', ['Beds', 'tools'], present],
    ['add', ['Beds', 'News'], isDefault],
    ['add', ['Beds', 'Nowhere'], "Invalid stream name 'Nowhere'"],
    ['remove', ['Tools', 'Beds'], absent],
    ['remove', ['Tools', 'Nowhere'], "Invalid stream name 'Nowhere'"],
    ['replace', ['Beds'], op],
    ['', ['Beds'], op],
    ['"add"', ['Beds'], op],
  ]
  for (const [op, names, msg] of cases) await assert.rejects(change(op, ...names), refusal(msg))
  assert.deepEqual(await namesIn(group_id), ['Seeds', 'Tools'])
})

test('a stream of a group can also become a default stream', async () => {
  const lawn = await world.stream('Lawn')
  const { group_id } = await create('Lawn')

  await owner.defaultStreams.add(lawn)

  assert.deepEqual(await namesIn(group_id), ['Lawn'])
})

test('deleting a group keeps its streams, and later changes of the group are refused', async () => {
  const { group_id } = await create('Beds')

  await owner.defaultStreams.removeGroup({ group_id })

  assert.equal(await find(group_id), undefined)
  assert.ok((await owner.streams.getId({ stream: 'Beds' })).stream_id)
  for (const id of [group_id, 0 as DefaultStreamGroupId, 999_999 as DefaultStreamGroupId]) {
    const { defaultStreams } = owner
    await assert.rejects(defaultStreams.removeGroup({ group_id: id }), unknown(id))
    await assert.rejects(defaultStreams.updateGroup({ group_id: id, new_group_name: 'x' }), unknown(id))
    const change = { group_id: id, op: 'add', stream_names: ['Beds'] }
    await assert.rejects(defaultStreams.changeGroupStreams(change), unknown(id))
  }
})

test('every change of groups sends all groups to everyone except guests', async () => {
  const [inbox, guestInbox] = [await openQueue(iris), await openQueue(gus)]

  const { group_id } = await create('Beds')
  await owner.defaultStreams.updateGroup({ group_id, new_description: 'Told' })
  await owner.defaultStreams.changeGroupStreams({ group_id, op: 'remove', stream_names: ['Beds'] })
  await owner.defaultStreams.removeGroup({ group_id })

  await world.settled()
  const received = (await inbox.rest()).map((event) => {
    assert.ok(event.type === 'default_stream_groups')
    const group = event.default_stream_groups.find(({ id }) => id === group_id)
    return group && [group.description, group.streams.map(({ name }) => name)]
  })
  assert.deepEqual(received, [['Words', ['Beds']], ['Told', ['Beds']], ['Told', []], undefined])
  assert.deepEqual(await guestInbox.rest(), [])
})
