import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { type Person, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

type RoleName = keyof typeof Role
const names = ['owner', 'administrator', 'member', 'guest'] as const satisfies RoleName[]

const refusals = {
  administrator: ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
  owner: ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'],
  guest: ['BAD_REQUEST', 'Guests cannot be organization administrators'],
  last: ['BAD_REQUEST', 'The owner permission cannot be removed from the only organization owner.'],
} as const

async function setRole(caller: Person, target: Person, role: string) {
  const path = `/api/v1/users/${target.user_id}`
  const { status, body } = await request(world.nodes.b.url, {
    method: 'PATCH',
    path,
    credentials: caller,
    form: { role },
  })
  return { status, code: body.code, msg: body.msg }
}

async function roleOf(person: Person): Promise<number> {
  const [row] = await world.database.query<{ role: number }>('select role from user_account where id = $1', [
    person.user_id,
  ])
  return row?.role ?? 0
}

const refusal = (name: keyof typeof refusals) => {
  const [code, msg] = refusals[name]
  return { status: 400, code, msg }
}
const success = { status: 200, code: undefined, msg: '' }

/** Returns the expected response to a change of role. */
function expected(caller: RoleName, from: RoleName, to: RoleName) {
  if (caller === 'member' || caller === 'guest') return refusal('administrator')
  if (from === to) return success
  if (caller === 'administrator' && (from === 'owner' || to === 'owner')) return refusal('owner')
  if (from === 'guest' && (to === 'owner' || to === 'administrator')) return refusal('guest')
  return success
}

test("a role transition is allowed or refused depending on the caller's role and the old and new role", async (t) => {
  const callers = {
    owner: world.owner,
    administrator: await world.person('ada', 'administrator'),
    member: await world.person('mia'),
    guest: await world.person('gus', 'guest'),
  }
  const target = await world.person('iris')
  const bot = await world.bot('mower', target)
  for (const caller of names)
    for (const from of names)
      for (const to of names)
        await t.test(`${caller}: ${from} → ${to}`, async () => {
          for (const person of [target, bot]) {
            await world.database.query('update user_account set role = $2 where id = $1', [
              person.user_id,
              Role[from],
            ])
            const outcome = expected(caller, from, to)
            assert.deepEqual(await setRole(callers[caller], person, String(Role[to])), outcome)
            assert.equal(await roleOf(person), outcome === success ? Role[to] : Role[from])
          }
        })
})

test('administrators and owners can lower their own role', async () => {
  const [ada, otto] = [await world.person('ada2', 'administrator'), await world.person('otto', 'owner')]

  assert.deepEqual(await setRole(ada, ada, '400'), success)
  assert.deepEqual(await setRole(otto, otto, '600'), success)

  assert.deepEqual(await setRole(ada, ada, '200'), refusal('administrator'))
  assert.deepEqual([await roleOf(ada), await roleOf(otto)], [400, 600])
})

test('the last active owner who is not a bot cannot be demoted', async () => {
  const second = await world.person('second', 'owner')
  const bot = await world.bot('crown', world.owner)
  await world.owner.users.update({ user_id: bot.user_id, role: 100 })

  await world.owner.users.deactivate({ user_id: second.user_id })
  for (const role of ['200', '400', '600'])
    assert.deepEqual(await setRole(world.owner, world.owner, role), refusal('last'))
  assert.deepEqual(await setRole(bot, world.owner, '200'), refusal('last'))
  assert.deepEqual(await setRole(world.owner, world.owner, '100'), success)
  const ada = await world.person('ada3', 'administrator')
  assert.deepEqual(await setRole(ada, world.owner, '200'), refusal('owner'))
  assert.deepEqual(await setRole(world.owner, bot, '400'), success)

  await world.owner.users.reactivate({ user_id: second.user_id })
  assert.deepEqual(await setRole(second, world.owner, '200'), success)
  assert.deepEqual(await setRole(second, world.owner, '100'), success)
})

test('an invalid role is refused and changes nothing', async () => {
  const person = await world.person('rita')
  const cases: [input: string, msg: string][] = [
    ['300', 'Invalid role'],
    ['0', 'Invalid role'],
    ['-100', 'Invalid role'],
    ['200.5', 'role is not an integer'],
    ['"200"', 'role is not an integer'],
    ['null', 'role is not an integer'],
    ['[200]', 'role is not an integer'],
    ['admin', 'Argument "role" is not valid JSON.'],
    ['', 'Argument "role" is not valid JSON.'],
  ]
  for (const [role, msg] of cases)
    assert.deepEqual(
      await setRole(world.owner, person, role),
      { status: 400, code: 'BAD_REQUEST', msg },
      role,
    )
  assert.equal(await roleOf(person), 400)
})

test('a new role applies from the next request on both nodes', async () => {
  const person = await world.person('rosa')
  const updateOwnAccount = (node: 'a' | 'b') => person.on(node).users.update({ user_id: person.user_id })

  await assert.rejects(updateOwnAccount('b'), { message: 'Must be an organization administrator' })
  await world.owner.on('a').users.update({ user_id: person.user_id, role: 200 })
  await updateOwnAccount('b')
  await world.owner.on('b').users.update({ user_id: person.user_id, role: 400 })

  await assert.rejects(updateOwnAccount('a'), { message: 'Must be an organization administrator' })
})

test('two owners who demote each other concurrently leave one owner', async () => {
  const [left, right] = [await world.person('left', 'owner'), await world.person('right', 'owner')]
  await world.database.query('update user_account set role = 400 where id = $1', [world.owner.user_id])
  for (let round = 0; round < 20; round++) {
    await world.database.query('update user_account set role = 100 where id in ($1, $2)', [
      left.user_id,
      right.user_id,
    ])
    const role = round % 2 ? 200 : 400

    const outcomes = await Promise.allSettled([
      left.on('a').users.update({ user_id: right.user_id, role }),
      right.on('b').users.update({ user_id: left.user_id, role }),
    ])

    const ended = [await roleOf(left), await roleOf(right)]
    assert.deepEqual(ended.toSorted(), [100, role], `round ${round}`)
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused?.reason.message, refusals[role === 200 ? 'owner' : 'administrator'][1])
  }
  await world.database.query('update user_account set role = 100 where id = $1', [world.owner.user_id])
})

test('two owners who demote themselves concurrently leave one owner', async () => {
  const tea = await world.addOrganization('tea')
  const { owner } = world
  const partner = await world.person('partner', 'owner')
  await world.database.query(
    'update user_account set role = 400 where role = 100 and id not in ($1, $2, $3)',
    [owner.user_id, partner.user_id, tea.owner.user_id],
  )
  for (let round = 0; round < 20; round++) {
    const outcomes = await Promise.allSettled([
      owner.on('a').users.update({ user_id: owner.user_id, role: 400 }),
      partner.on('b').users.update({ user_id: partner.user_id, role: 400 }),
    ])

    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1)
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused?.reason.message, refusals.last[1])
    await world.database.query('update user_account set role = 100 where id in ($1, $2)', [
      owner.user_id,
      partner.user_id,
    ])
  }
})
