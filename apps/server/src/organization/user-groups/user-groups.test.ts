import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isSystemGroup, type UserGroupId, type UserId } from '@oxbow/contract'
import { type Person, request, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { addMembers, makeGroup, readGroup, removeMembers } from '@oxbow/testkit/calls/user-groups'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const everyone = { owner, ada, iris, otto, gus, robin }

const denied = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' })
const notTheirs = refusal('Only group members and organization administrators can administer this group.')
const noGroup = refusal('Invalid user group')
const ids = (...people: Person[]) => people.map(({ user_id }) => user_id).sort((a, b) => a - b)

/** Returns the group events during an action, after checking that all users got the same events. */
async function received(change: () => Promise<unknown>): Promise<object[]> {
  const events = await collectEvents(world, everyone, change, { event_types: ['user_group'] })
  const { gus: toGuest, ...toOthers } = events
  assert.deepEqual(toGuest, [])
  const lists = Object.values(toOthers).map((list) => list.map(({ id: _, ...event }) => event))
  for (const list of lists) assert.deepEqual(list, lists[0])
  return lists[0] ?? []
}

test('a group is created with its members, without duplicates, and everyone except guests gets an event', async () => {
  let id = 0 as UserGroupId
  const members = [otto, gus, otto, robin].map(({ user_id }) => user_id)
  const events = await received(async () => {
    id = (await iris.userGroups.create({ name: 'Bakers', description: 'Bread & cake', members })).id
  })

  const group = {
    id,
    name: 'Bakers',
    description: 'Bread & cake',
    members: ids(otto, gus, robin),
    direct_subgroup_ids: [],
    is_system_group: false,
  }
  assert.deepEqual(events, [{ type: 'user_group', op: 'add', group }])
  assert.deepEqual(await readGroup(rosa, id), group)
  for (const person of [rosa, gus, robin]) {
    const { realm_user_groups } = await person.events.register({ fetch_event_types: ['realm_user_groups'] })
    const groups = realm_user_groups?.filter(({ is_system_group }) => !is_system_group)
    assert.deepEqual(groups, person === gus ? [] : [group])
  }
})

test('a group may be empty, and groups are listed by id', async () => {
  const first = await makeGroup(iris, 'Zebras')
  const second = await makeGroup(iris, 'Apes')

  assert.deepEqual((await readGroup(iris, first))?.members, [])
  const { user_groups } = await iris.userGroups.list()
  const listed = user_groups.map(({ id }) => id)
  assert.deepEqual(
    listed,
    listed.toSorted((a, b) => a - b),
  )
  assert.ok(listed.includes(first) && listed.includes(second))
})

test('group names are case-sensitive, and empty or overlong ones are refused', async () => {
  await makeGroup(iris, 'Chefs')
  await makeGroup(iris, 'chefs')
  await makeGroup(iris, '🍞'.repeat(100))
  const make = (name: string) => iris.userGroups.create({ name, description: '' })

  await assert.rejects(make('Chefs'), refusal("User group 'Chefs' already exists."))
  for (const name of ['', ' \t']) await assert.rejects(make(name), refusal('User group name cannot be empty'))
  await assert.rejects(make('x'.repeat(101)), refusal('name is too long (limit: 100 characters)'))
  await assert.rejects(
    iris.userGroups.create({ name: 'Long', description: 'x'.repeat(1_025) }),
    refusal('description is too long (limit: 1024 characters)'),
  )
  assert.deepEqual(await call(world, iris, 'POST /user_groups/create', { name: 'Nobody' }), {
    ...refusal("Missing 'description' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'description',
    }),
  })
})

test('a member of a group must be an account of the organization, active or deactivated', async () => {
  const hill = await world.addOrganization('hill')
  const gone = await world.person('gone')
  await owner.users.deactivate({ user_id: gone.user_id })
  const id = await makeGroup(iris, 'Formers', iris, gone)
  const [bot] = await world.database.query<{ id: UserId }>('select id::int from system_account')

  assert.deepEqual((await readGroup(iris, id))?.members, ids(iris, gone))
  for (const stranger of [hill.owner.user_id, 999_999 as UserId, bot?.id as UserId]) {
    const invalid = refusal(`Invalid user ID: ${stranger}`)
    const members = [iris.user_id, stranger, 999_998 as UserId]
    await assert.rejects(iris.userGroups.create({ name: 'Formers', description: '', members }), invalid)
    const addAndDelete = { user_group_id: id, add: [otto.user_id], delete: [stranger] }
    await assert.rejects(iris.userGroups.changeMembers(addAndDelete), invalid)
  }
  assert.deepEqual((await readGroup(iris, id))?.members, ids(iris, gone))
})

test('a deactivated user stays a member of groups', async () => {
  const lena = await world.person('lena')
  const id = await makeGroup(iris, 'Painters', iris, lena)

  const events = await received(async () => {
    await owner.users.deactivate({ user_id: lena.user_id })
    await owner.users.reactivate({ user_id: lena.user_id })
  })

  const ofPeople = events.filter((event) => 'group_id' in event && !isSystemGroup(Number(event.group_id)))
  assert.deepEqual(ofPeople, [])
  assert.equal(events.length, 2)
  assert.deepEqual((await readGroup(iris, id))?.members, ids(iris, lena))
})

test('updating a group emits one event per changed field, and none for unchanged fields', async () => {
  const user_group_id = await makeGroup(iris, 'Runners', iris)
  const change = (params: { name?: string; description?: string }) =>
    received(() => iris.userGroups.update({ user_group_id, ...params }))
  const update = { type: 'user_group', op: 'update', group_id: user_group_id }
  const shown = async () => {
    const { name, description } = (await readGroup(iris, user_group_id)) ?? {}
    return [name, description]
  }

  assert.deepEqual(await change({ name: 'Walkers', description: 'Slow' }), [
    { ...update, data: { name: 'Walkers' } },
    { ...update, data: { description: 'Slow' } },
  ])
  assert.deepEqual(await change({ name: 'Hikers' }), [{ ...update, data: { name: 'Hikers' } }])
  assert.deepEqual(await shown(), ['Hikers', 'Slow'])
  assert.deepEqual(await change({ name: 'Hikers', description: 'Slow' }), [])
  // Some clients always send both fields.
  assert.deepEqual(await change({ name: '', description: 'Far' }), [
    { ...update, data: { description: 'Far' } },
  ])
  assert.deepEqual(await change({ name: 'Hikers', description: '' }), [
    { ...update, data: { description: '' } },
  ])
  assert.deepEqual(await shown(), ['Hikers', ''])
})

test('invalid group changes are refused with their errors', async () => {
  const user_group_id = await makeGroup(iris, 'Swimmers', iris)
  const change = (params: object) => iris.userGroups.update({ user_group_id, ...params })
  const nothing = refusal('No new data supplied')

  for (const params of [{}, { name: '' }, { description: '' }, { name: '', description: '' }])
    await assert.rejects(change(params), nothing)
  await assert.rejects(change({ name: ' ' }), refusal('User group name cannot be empty'))
  await makeGroup(iris, 'Divers')
  await assert.rejects(
    change({ name: 'Divers', description: 'Deep' }),
    refusal("User group 'Divers' already exists."),
  )
  assert.equal((await readGroup(iris, user_group_id))?.description, 'All Swimmers')
  await change({ name: 'swimmers' })
})

test('one request adds and removes members of a group', async () => {
  const id = await makeGroup(iris, 'Singers', iris, otto)
  const members = { type: 'user_group', group_id: id }

  const events = await received(async () => {
    await addMembers(iris, id, rosa, gus, rosa)
    await removeMembers(iris, id, otto, otto)
    await iris.userGroups.changeMembers({
      user_group_id: id,
      add: [otto.user_id, robin.user_id],
      delete: [robin.user_id, rosa.user_id, iris.user_id],
    })
  })

  assert.deepEqual(events, [
    { ...members, op: 'add_members', user_ids: ids(rosa, gus) },
    { ...members, op: 'remove_members', user_ids: ids(otto) },
    { ...members, op: 'add_members', user_ids: ids(otto, robin) },
    { ...members, op: 'remove_members', user_ids: ids(robin, rosa, iris) },
  ])
  assert.deepEqual((await readGroup(iris, id))?.members, ids(gus, otto))
})

test('a request with an invalid member changes nothing', async () => {
  const id = await makeGroup(iris, 'Dancers', iris, otto)
  const change = (params: { add?: UserId[]; delete?: UserId[] }) =>
    iris.userGroups.changeMembers({ user_group_id: id, ...params })

  const nothing = refusal('Nothing to do. Specify at least one of "add" or "delete".')
  const twice = refusal(`User ${otto.user_id} is already a member of this group`)
  const absent = refusal(`There is no member '${rosa.user_id}' in this user group`)
  const events = await received(async () => {
    await assert.rejects(change({}), nothing)
    await assert.rejects(change({ add: [], delete: [] }), nothing)
    await assert.rejects(change({ add: [rosa.user_id, otto.user_id], delete: [iris.user_id] }), twice)
    await assert.rejects(change({ add: [gus.user_id], delete: [otto.user_id, rosa.user_id] }), absent)
  })

  assert.deepEqual(events, [])
  assert.deepEqual((await readGroup(iris, id))?.members, ids(iris, otto))
  assert.deepEqual(
    await call(world, iris, `POST /user_groups/${id}/members`, { add: '[1.5]' }),
    refusal('add[0] is not an integer'),
  )
})

test('the name of a deleted group can be used again', async () => {
  const id = await makeGroup(iris, 'Weavers', iris, gus)

  const events = await received(() => iris.userGroups.remove({ user_group_id: id }))

  assert.deepEqual(events, [{ type: 'user_group', op: 'remove', group_id: id }])
  assert.equal(await readGroup(iris, id), undefined)
  assert.ok((await makeGroup(iris, 'Weavers')) > id)
  for (const user_group_id of [id, 999_999 as UserGroupId])
    for (const person of [owner, iris]) {
      await assert.rejects(person.userGroups.remove({ user_group_id }), noGroup)
      await assert.rejects(person.userGroups.update({ user_group_id, name: 'x' }), noGroup)
      await assert.rejects(addMembers(person, user_group_id, otto), noGroup)
    }
})

test('a group can be changed by its members and administrators, not by guests and bots', async () => {
  const id = await makeGroup(iris, 'Potters', otto, gus, robin)
  const ways = (by: Person) => [
    () => by.userGroups.update({ user_group_id: id, description: `By ${by.email}` }),
    () => addMembers(by, id, rosa),
    () => removeMembers(by, id, rosa),
  ]
  const remove = (by: Person) => by.userGroups.remove({ user_group_id: id })

  for (const by of [owner, ada, otto]) for (const change of ways(by)) await change()
  for (const change of [...ways(iris), () => remove(iris)]) await assert.rejects(change, notTheirs)
  for (const change of [...ways(gus), () => remove(gus), () => gus.userGroups.list()])
    await assert.rejects(change, refusal('Not allowed for guest users'))
  for (const change of [...ways(robin), () => remove(robin), () => robin.userGroups.list()])
    await assert.rejects(change, refusal('This endpoint does not accept bot requests.'))
  // A former member can no longer change it.
  await removeMembers(otto, id, otto)
  await assert.rejects(addMembers(otto, id, otto), notTheirs)
  await remove(ada)
})

test('if only administrators may change groups, members are refused before their parameters are checked', async () => {
  const id = await makeGroup(iris, 'Smiths', iris)
  await setOrganizationRules(world, 'user_group_edit_policy = 2')

  for (const change of [
    () => makeGroup(iris, 'Smiths'),
    () => iris.userGroups.update({ user_group_id: id }),
    () => iris.userGroups.changeMembers({ user_group_id: 999_999 as UserGroupId }),
    () => removeMembers(iris, id, iris),
    () => iris.userGroups.remove({ user_group_id: id }),
  ])
    await assert.rejects(change, denied)
  assert.deepEqual((await readGroup(iris, id))?.members, [iris.user_id])
  await addMembers(ada, id, otto)
  await makeGroup(owner, 'Joiners')
  await setOrganizationRules(world, 'user_group_edit_policy = 1')
})

test('a repeated request with the same idempotency key runs once', async () => {
  const headers = { 'idempotency-key': 'group-once' }
  const make = () =>
    request(world.nodes.b.url, {
      method: 'POST',
      path: '/api/v1/user_groups/create',
      credentials: iris,
      form: { name: 'Once', description: '' },
      headers,
    })

  const [first, second] = [await make(), await make()]

  assert.equal(first.status, 200)
  assert.equal(typeof first.body.id, 'number')
  assert.deepEqual(second.body, first.body)
})
