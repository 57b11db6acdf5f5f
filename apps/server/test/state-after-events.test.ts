import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, FieldType, type ProfileFieldId, Role } from '@oxbow/contract'
import { createClient } from '@oxbow/sdk'
import {
  expectSameState,
  type NodeName,
  type Person,
  pngOf,
  request,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { ownPage } from '@oxbow/testkit/calls/joining'

/** Stories after which a state updated by events must equal a fresh state, for every watcher. */
const stories: Record<string, (scene: Scene) => Promise<unknown>> = {
  'a person is added': ({ owner }) =>
    owner.users.create({
      email: 'new@garden.example',
      full_name: 'Nora New',
      password: 'reed 12 heron lake',
    }),
  'another user is renamed': ({ owner, extra }) =>
    owner.users.update({ user_id: extra.user_id, full_name: 'Rosa Rambler' }),
  'a watcher is renamed': ({ owner, member }) =>
    owner.users.update({ user_id: member.user_id, full_name: 'Mia Moved' }),
  'a guest renames themselves': ({ guest }) => guest.users.updateSettings({ full_name: 'Gus Greenfield' }),
  'a bot is renamed': ({ owner, bot }) => owner.users.update({ user_id: bot.user_id, full_name: 'Robin' }),
  'a member becomes an administrator': ({ owner, member }) => changeRole(owner, member, Role.administrator),
  'an administrator becomes an owner': ({ owner, member }) => changeRole(owner, member, Role.owner),
  'an owner becomes a member': ({ owner, member }) => changeRole(owner, member, Role.member),
  'an administrator becomes a guest': async ({ owner, administrator }) => {
    await changeRole(owner, administrator, Role.guest)
  },
  'a guest becomes a member, and then an administrator': async ({ owner, administrator }) => {
    await changeRole(owner, administrator, Role.member)
    await changeRole(owner, administrator, Role.administrator)
  },
  'a bot becomes an administrator': ({ owner, bot }) => changeRole(owner, bot, Role.administrator),
  'a bot becomes a member again': ({ owner, bot }) => changeRole(owner, bot, Role.member),
  'a user uploads a picture': ({ extra }) => uploadAvatar(extra),
  'all watchers upload pictures': async ({ owner, administrator, member, guest, bot }) => {
    for (const person of [owner, administrator, member, guest, bot]) await uploadAvatar(person)
  },
  'a guest uploads another picture': ({ guest }) => uploadAvatar(guest),
  'pictures of users are removed': async ({ administrator, guest, bot }) => {
    for (const person of [administrator, guest, bot]) await person.on('b').users.clearAvatar()
  },
  'a picture that does not exist is removed': ({ guest }) => guest.users.clearAvatar(),
  'profile fields are added': async ({ owner, fields }) => {
    fields.motto = (await owner.profileFields.create({ name: 'Motto', field_type: FieldType.shortText })).id
    fields.friend = (await owner.profileFields.create({ name: 'Friend', field_type: FieldType.people })).id
    fields.born = (await owner.profileFields.create({ name: 'Born', field_type: FieldType.date })).id
  },
  'a profile field is renamed': ({ owner, fields }) =>
    owner.profileFields.update({ field_id: fields.born, name: 'Birthday', hint: 'Day and year' }),
  'profile fields are ordered': ({ owner, fields }) =>
    owner.profileFields.reorder({ order: [fields.born, fields.motto, fields.friend] }),
  'a user fills in their profile': ({ member, guest, fields }) =>
    member.users.setProfileData({
      data: [
        { id: fields.motto, value: 'Dig **deep**' },
        { id: fields.friend, value: [guest.user_id] },
        { id: fields.born, value: '1990-04-01' },
      ],
    }),
  'profile fields are cleared, one of which is empty': async ({ member, guest, fields }) => {
    await member.users.clearProfileData({ data: [fields.friend] })
    await guest.users.clearProfileData({ data: [fields.friend] })
  },
  'an administrator changes a name, a role and a profile at once': ({ owner, extra, fields }) =>
    owner.users.update({
      user_id: extra.user_id,
      full_name: 'Rosa Rose',
      role: Role.administrator,
      profile_data: [
        { id: fields.motto, value: 'Grow' },
        { id: fields.born, value: '' },
      ],
    }),
  'a user is deactivated, with their bots': ({ owner, extra }) =>
    owner.users.deactivate({ user_id: extra.user_id }),
  'the role of a deactivated user changes': ({ owner, extra }) => changeRole(owner, extra, Role.member),
  'the profile of a deactivated user changes': ({ owner, extra, fields }) =>
    owner.users.update({
      user_id: extra.user_id,
      full_name: 'Rosa Gone',
      profile_data: [{ id: fields.motto, value: 'Rest' }],
    }),
  'a user is reactivated, with their profile': ({ owner, extra }) =>
    owner.users.reactivate({ user_id: extra.user_id }),
  'a reactivated user reports presence': ({ extra }) => extra.presence.report({ status: 'active' }),
  'a bot is reactivated': ({ owner, extraBot }) => owner.users.reactivate({ user_id: extraBot.user_id }),
  'a user deactivates their own account': async ({ world }) => {
    const leaver = await world.person('leaver')
    await leaver.users.deactivateMe()
  },
  'a profile field is deleted, with the values': ({ owner, fields }) =>
    owner.profileFields.remove({ field_id: fields.motto }),
  'a user changes their address': async (scene) => {
    // Also for the next two stories, because all states are registered again after a write by SQL.
    await requestNewAddresses(scene, scene.extra, scene.member, scene.administrator)
    await confirmNewAddress(scene, scene.extra)
  },
  'a watcher gets another address': (scene) => confirmNewAddress(scene, scene.member),
  'an administrator gets another address': (scene) => confirmNewAddress(scene, scene.administrator),
  'a user regenerates their API key': async ({ extra }) => {
    await extra.on('b').users.regenerateApiKey()
  },
}

interface Scene extends AsyncDisposable {
  world: World
  owner: Person
  administrator: Person
  member: Person
  guest: Person
  bot: Person
  /** A user whose states are not compared. */
  extra: Person
  extraBot: Person
  fields: { motto: ProfileFieldId; friend: ProfileFieldId; born: ProfileFieldId }
}

const visibilities = { everyone: 1, administrators: 3, nobody: 4 }
for (const [seers, visibility] of Object.entries(visibilities)) {
  test(`states updated by events equal fresh states where ${seers} may see addresses`, async (t) => {
    await using scene = await setScene(visibility)
    const { world, owner, administrator, member, guest, bot } = scene
    const people = { owner, administrator, member, guest, bot }
    for (const [story, makeChange] of Object.entries(stories)) {
      await t.test(story, async () => {
        await expectSameState(world, people, () => makeChange(scene), { mayDefer: true })
      })
    }
    await t.test('many settings are changed concurrently', async () => {
      const { owner: events = [] } = await expectSameState(world, people, () => changeConcurrently(scene))
      assert.ok(events.length > 20, `most were refused: ${JSON.stringify(events)}`)
    })
  })
}

test('a user who may not see addresses gets none', async () => {
  await using scene = await setScene(visibilities.administrators)
  const { world, owner, administrator, member, guest } = scene

  const received = await expectSameState(world, { owner, administrator, guest, member }, async () => {
    await world.person('newcomer')
    await requestNewAddresses(scene, scene.extra)
    await confirmNewAddress(scene, scene.extra)
  })

  const knows = (events: Event[] = []) => /newcomer@garden|rosa@elsewhere/.test(JSON.stringify(events))
  assert.deepEqual(
    Object.entries(received).map(([name, events]) => [name, knows(events)]),
    [
      ['owner', true],
      ['administrator', true],
      ['guest', false],
      ['member', false],
    ],
  )
})

test('a new administrator of a large organization gets the addresses of all users', async () => {
  await using scene = await setScene(visibilities.administrators)
  const { world, owner, member } = scene
  await world.database.query(
    `with account as (
       insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
       select $1, 'gardener' || n || '@garden.example', 'Gardener ' || n, 400, sha256(('gardener' || n)::bytea), ''
       from generate_series(1, 1200) n returning organization_id, id)
     insert into user_setting (organization_id, user_id) select organization_id, id from account`,
    [world.organization_id],
  )

  const { member: events = [] } = await expectSameState(world, { member, owner }, () =>
    changeRole(owner, member, Role.administrator),
  )

  // The events are all addresses, the new role, two bots, and the groups of the old and the new role.
  assert.equal(events.length, 1_200 + 7 + 1 + 2 + 2)
})

async function setScene(visibility: number): Promise<Scene> {
  const world = await startWorld()
  await world.database.query('update organization set email_address_visibility = $1 where id = $2', [
    visibility,
    world.organization_id,
  ])
  const administrator = movable(world, await world.person('ada', 'administrator'))
  const member = movable(world, await world.person('mia'))
  const guest = await world.person('gus', 'guest')
  const extra = movable(world, await world.person('rosa'))
  for (const person of [administrator, member, guest, extra])
    await person.presence.report({ status: 'active' })
  return {
    world,
    owner: world.owner,
    administrator,
    member,
    guest,
    bot: await world.bot('robin', world.owner),
    extra,
    extraBot: await world.bot('thorn', extra),
    fields: {} as Scene['fields'],
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** Returns a person whose calls still work after a change of address, which changes the credentials. */
function movable(world: World, person: Person): Person & { email: string } {
  const moving = {
    ...person,
    on: (node: NodeName) =>
      createClient({
        url: world.nodes[node].url,
        credentials: { email: moving.email, api_key: person.api_key },
      }),
  }
  return moving
}

async function uploadAvatar(person: Person): Promise<void> {
  await person.on('b').users.setAvatar({ files: [{ name: 'me.png', bytes: pngOf(5, 5) }] })
}

async function changeRole(by: Person, { user_id }: Person, role: Role): Promise<void> {
  await by.users.update({ user_id, role })
}

const newEmailOf = ({ email }: Person): string => email.replace('@garden.', '@elsewhere.')

/** The key in the link that confirms the new address. */
const linkKeyOf = ({ user_id }: Person): string => `new${String(user_id).padStart(21, '0')}`

/** Requests new addresses, without the e-mails that ask for confirmation. */
async function requestNewAddresses({ world }: Scene, ...people: Person[]): Promise<void> {
  const { secrets } = world.nodes.a.app
  const sealKey = (person: Person) => {
    const { user_id } = person
    const owner = ['e-mail change', world.organization_id, user_id, newEmailOf(person)] as const
    return secrets.seal(linkKeyOf(person), owner)
  }
  await world.database.query(
    `insert into email_change (organization_id, user_id, new_email, key_hash, key_sealed, origin)
     select $1, user_id, new_email, key_hash, key_sealed, ''
     from unnest($2::int[], $3::text[], $4::bytea[], $5::bytea[]) request (user_id, new_email, key_hash, key_sealed)`,
    [
      world.organization_id,
      people.map(({ user_id }) => user_id),
      people.map(newEmailOf),
      people.map((person) => secrets.hash(linkKeyOf(person))),
      people.map(sealKey),
    ],
  )
}

/** Changes the address to the requested one, like a click on the link in the e-mail. */
async function confirmNewAddress({ world }: Scene, person: Person): Promise<void> {
  const path = `/accounts/confirm_new_email/${linkKeyOf(person)}`
  const response = await request(world.nodes.b.url, { method: 'POST', path, headers: ownPage })
  assert.equal(response.status, 200, response.text)
  Object.assign(person, { email: newEmailOf(person) })
}

/** Makes concurrent changes that conflict with each other, so that some are refused. */
async function changeConcurrently({
  owner,
  administrator,
  member,
  guest,
  extra,
  fields,
}: Scene): Promise<void> {
  const other = await owner.profileFields.create({ name: 'Tool', field_type: FieldType.shortText })
  const rounds = [1, 2, 3].flatMap((round) => [
    owner.on('b').users.update({ user_id: extra.user_id, full_name: `Rosa ${round}` }),
    administrator.on('a').users.update({ user_id: extra.user_id, full_name: `Rose ${round}` }),
    changeRole(owner, member, round === 2 ? Role.guest : Role.member),
    changeRole(owner, extra, Role.administrator),
    owner.on('b').users.deactivate({ user_id: extra.user_id }),
    owner.on('a').users.reactivate({ user_id: extra.user_id }),
    member.on('b').users.setProfileData({ data: [{ id: other.id, value: `spade ${round}` }] }),
    member.on('a').users.clearProfileData({ data: [other.id] }),
    owner.users.update({ user_id: member.user_id, profile_data: [{ id: other.id, value: `rake ${round}` }] }),
    guest.users.setProfileData({ data: [{ id: other.id, value: `hoe ${round}` }] }),
    owner.profileFields.reorder({ order: [fields.friend, other.id, fields.born] }),
    uploadAvatar(extra),
    round === 2 ? guest.users.clearAvatar() : uploadAvatar(guest),
    administrator.on('a').profileFields.create({ name: `Field ${round}`, field_type: FieldType.date }),
  ])
  await Promise.allSettled(rounds)
  await Promise.allSettled([
    owner.on('b').profileFields.remove({ field_id: other.id }),
    guest.users.setProfileData({ data: [{ id: other.id, value: 'shears' }] }),
    owner.users.deactivate({ user_id: extra.user_id }),
  ])
}
