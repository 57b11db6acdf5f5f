import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { permissionActionNames, permissionRules } from '@oxbow/contract'
import { type Person, pngOf, startWorld } from '@oxbow/testkit'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { checkExplanation, outcomeOf, type PermissionQuery } from '@oxbow/testkit/calls/permissions'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const people: Record<string, Person> = {
  owner: await world.person('otis', 'owner'),
  administrator: await world.person('ada', 'administrator'),
  member: await world.person('mia'),
  guest: await world.person('gus', 'guest'),
  bot: await world.bot('robin', iris),
}
let count = 0

async function tryEach(query: PermissionQuery, label: string, act: (person: Person) => Promise<unknown>) {
  const rules: Record<string, string> = {}
  for (const [name, person] of Object.entries(people))
    rules[name] = await checkExplanation(
      world,
      person,
      query,
      () => outcomeOf(act(person)),
      `${name}, ${label}`,
    )
  return rules
}

test('the explained permission to create bots matches the outcome for each type and policy', async () => {
  for (const policy of [1, 2, 3]) {
    await setOrganizationRules(world, `bot_creation_policy = ${policy}`)
    for (const bot_type of [1, 2] as const)
      await tryEach({ action: 'create_bot', bot_type }, `${policy}`, (person) =>
        person.bots.create({ short_name: `bot${++count}`, full_name: `Bot ${count}`, bot_type, files: [] }),
      )
  }
})

test('the explained permission to add emoji matches the outcome', async () => {
  for (const isRestricted of [false, true]) {
    await setOrganizationRules(world, `add_emoji_by_admins_only = ${isRestricted}`)
    const files = [{ name: 'x.png', bytes: pngOf(3, 3) }]
    const received = await tryEach({ action: 'add_emoji' }, `${isRestricted}`, (person) =>
      person.emoji.upload({ emoji_name: `owl${++count}`, files }),
    )
    assert.equal(received.member, isRestricted ? 'policy_administrators' : 'policy_members')
  }
})

test('the explained permission to change settings matches the outcome', async () => {
  await tryEach({ action: 'change_settings' }, '', (person) =>
    person.organization.update({ description: `Words ${++count}` }),
  )
})

test('the explained permission to see addresses matches the addresses in responses', async () => {
  for (const visibility of [1, 3, 4]) {
    await setOrganizationRules(world, `email_address_visibility = ${visibility}`)
    for (const other of [iris, people.bot as Person])
      await tryEach(
        { action: 'see_email', other_user_id: other.user_id },
        `${visibility}`,
        async (person) => {
          const { user } = await person.users.get({ user_id: other.user_id })
          const shown = [user.email, user.delivery_email]
          if (!shown.includes(other.email)) await person.users.get({ user_id: 987_654 as never })
        },
      )
    const own = await iris.permissions.explain({
      user_id: iris.user_id,
      action: 'see_email',
      other_user_id: iris.user_id,
    })
    assert.deepEqual([own.allowed, own.rule], [true, 'own_address'])
  }
})

test('the explained permission to change and deactivate users matches the outcome', async () => {
  for (const role of ['owner', 'member'] as const) {
    for (const [name, person] of Object.entries(people)) {
      const { user_id } = await world.person(`target${++count}`, role)
      const rename = () => outcomeOf(person.users.update({ user_id, full_name: `Name ${count}` }))
      const target = { other_user_id: user_id }
      await checkExplanation(world, person, { action: 'change_user', ...target }, rename, `${name}, ${role}`)
      const remove = () => outcomeOf(person.users.deactivate({ user_id }))
      await checkExplanation(
        world,
        person,
        { action: 'deactivate_user', ...target },
        remove,
        `${name}, ${role}`,
      )
    }
  }
})

test('deactivating the only owner is explained as refused', async () => {
  const { owner: last } = await world.addOrganization('hill')
  const { user_id } = last
  const question = { user_id, action: 'deactivate_user', other_user_id: user_id } as const
  const { allowed, rule: why } = await last.permissions.explain(question)
  assert.deepEqual([allowed, why], [false, 'last_owner'])
  await assert.rejects(last.users.deactivate({ user_id }), { errorName: 'LAST_OWNER_DEACTIVATION' })
})

test('the explained permission to invite matches the outcome', async () => {
  const { stream_id } = await world.stream('welcome')
  const ways = {
    policy_administrators: [true, true],
    policy_members: [false, true],
    too_new_to_invite: [false, false],
  }
  for (const [member, [isRestricted, isRequired]] of Object.entries(ways)) {
    await setOrganizationRules(
      world,
      `invite_by_admins_only = ${isRestricted}, invite_required = ${isRequired}`,
    )
    const received = await tryEach({ action: 'invite' }, member, (person) =>
      person.invitations.send({ invitee_emails: `new${++count}@elsewhere.example`, stream_ids: [stream_id] }),
    )
    assert.equal(received.member, member)
  }
})

test('the explained permission to create and change groups matches the outcome', async () => {
  const { id: own } = await owner.userGroups.create({
    name: 'Growers',
    description: '',
    members: Object.values(people).map(({ user_id }) => user_id),
  })
  const { id: others } = await owner.userGroups.create({ name: 'Others', description: '' })
  const members: string[] = []
  for (const policy of [1, 2]) {
    await setOrganizationRules(world, `user_group_edit_policy = ${policy}`)
    const made = await tryEach({ action: 'edit_group' }, `${policy}`, (person) =>
      person.userGroups.create({ name: `Group ${++count}`, description: '' }),
    )
    members.push(made.member ?? '')
    for (const user_group_id of [own, others]) {
      const received = await tryEach({ action: 'edit_group', user_group_id }, `${policy}`, (person) =>
        person.userGroups.update({ user_group_id, description: `Words ${++count}` }),
      )
      members.push(received.member ?? '')
    }
  }
  const remainingRule = 'policy_administrators'
  assert.deepEqual(members, [
    'policy_members',
    'in_group',
    'outside_group',
    remainingRule,
    remainingRule,
    remainingRule,
  ])
})

test('an explanation contains the rule, its reason and the values that it depends on', async () => {
  const response = await iris.permissions.explain({ user_id: iris.user_id, action: 'create_stream' })
  const { date_joined, ...facts } = response.facts
  assert.deepEqual(
    { ...response, facts },
    {
      allowed: true,
      rule: 'policy_members',
      reason: permissionRules.policy_members,
      facts: {
        role: 400,
        bot_type: null,
        is_active: true,
        create_stream_policy: 1,
        waiting_period_threshold: 0,
      },
    },
  )
  assert.ok(Date.parse(String(date_joined)) <= Date.now())
})

test('only administrators can ask about other accounts, and deactivated accounts have no permissions', async () => {
  const { user_id } = await world.person('gone')
  await assert.rejects(
    iris.permissions.explain({ user_id, action: 'subscribe', stream_id: 1 as never }),
    refusal('Insufficient permission'),
  )
  await owner.users.deactivate({ user_id })
  for (const action of permissionActionNames) {
    const params = { stream_id: 1, message_id: 1, other_user_id: iris.user_id } as never
    const { allowed, rule: why } = await owner.permissions.explain({ user_id, action, ...(params as object) })
    assert.deepEqual([allowed, why], [false, 'account_deactivated'])
  }
  await assert.rejects(
    owner.permissions.explain({ user_id: 987_654 as never, action: 'invite' }),
    refusal('No such user'),
  )
})

test('an invisible stream is explained like a missing one', async () => {
  const vault = await world.stream('vault', { invite_only: true })
  const actions = ['see_stream', 'read_history', 'subscribe', 'add_subscribers', 'post'] as const
  for (const action of actions) {
    const ask = (stream_id: number) =>
      iris.permissions.explain({ user_id: iris.user_id, action, stream_id: stream_id as never })
    assert.deepEqual(await ask(vault.stream_id), await ask(987_654))
  }
})

test('a permission request without a required parameter is refused', async () => {
  const path = `GET /users/${iris.user_id}/permissions`
  const missing = (var_name: string) =>
    refusal(`Missing '${var_name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name })
  assert.deepEqual(await call(world, iris, path), missing('action'))
  assert.deepEqual(await call(world, iris, path, { action: 'post' }), missing('stream_id'))
  const move = { action: 'move_message', stream_id: '1' }
  assert.deepEqual(await call(world, iris, path, move), missing('message_id'))
  assert.equal((await call(world, iris, path, { action: 'fly' })).status, 400)
})
