import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world

interface Period {
  role: number
  from_outbox_id: number
  to_outbox_id: number | null
  from_message_id: number
  to_message_id: number | null
}

const periodsOf = ({ user_id }: Person) =>
  world.database.query<Period & Record<string, unknown>>(
    `select role, from_outbox_id::int, to_outbox_id::int, from_message_id::int, to_message_id::int
     from role_period where user_id = $1 order by from_outbox_id`,
    [user_id],
  )

/**
 * Asserts that periods are ordered and do not overlap, and that the two upper bounds of a period
 * are either both null or both set.
 */
function assertConsistent(periods: Period[]): void {
  let [outbox, message] = [0, 0]
  for (const [index, period] of periods.entries()) {
    assert.ok(period.from_outbox_id >= outbox && period.from_message_id >= message)
    const isOpen = period.to_outbox_id === null
    assert.equal(period.to_message_id === null, isOpen)
    if (isOpen) assert.equal(index, periods.length - 1)
    outbox = period.to_outbox_id ?? outbox
    message = period.to_message_id ?? message
    if (!isOpen) assert.ok(outbox > period.from_outbox_id && message > period.from_message_id)
  }
}

const story = (periods: Period[]) =>
  periods.map(({ role, to_outbox_id }) => (to_outbox_id === null ? `${role}…` : `${role}`))

test('each change of role or activity ends a role period and begins the next', async () => {
  const iris = await world.person('iris')
  const { user_id } = iris
  assert.deepEqual(story(await periodsOf(iris)), ['400…'])

  await owner.users.update({ user_id, role: 200 })
  const changed = await periodsOf(iris)
  await owner.users.deactivate({ user_id })
  const gone = await periodsOf(iris)
  await owner.users.reactivate({ user_id })
  const back = await periodsOf(iris)

  assert.deepEqual(story(changed), ['400', '200…'])
  assert.deepEqual(
    [changed[0]?.to_outbox_id, changed[0]?.to_message_id],
    [changed[1]?.from_outbox_id, changed[1]?.from_message_id],
  )
  assert.deepEqual(story(gone), ['400', '200'])
  assert.deepEqual(story(back), ['400', '200', '200…'])
  for (const periods of [changed, gone, back]) assertConsistent(periods)
})

test('requests that change nothing leave role periods unchanged', async () => {
  const iris = await world.person('still')
  const before = await periodsOf(iris)

  await owner.users.update({ user_id: iris.user_id, role: 400, full_name: 'Very Still' })
  await owner.users.reactivate({ user_id: iris.user_id })
  await iris.users.regenerateApiKey()

  assert.deepEqual(await periodsOf(iris), before)
})

test('a role that changes while the user is deactivated takes effect at the reactivation', async () => {
  const otto = await world.person('otto')
  const { user_id } = otto

  await owner.users.deactivate({ user_id })
  await owner.users.update({ user_id, role: 600 })
  assert.deepEqual(story(await periodsOf(otto)), ['400'])
  await owner.users.reactivate({ user_id })

  assert.deepEqual(story(await periodsOf(otto)), ['400', '600…'])
  assertConsistent(await periodsOf(otto))
})

test('role periods of a deactivated person and their bots end at the same ids', async () => {
  const mia = await world.person('mia')
  const bots = [await world.bot('mower', mia), await world.bot('weeder', mia)]

  await mia.users.deactivateMe()

  const [person, ...machines] = await Promise.all([mia, ...bots].map(periodsOf))
  for (const periods of machines) {
    assert.deepEqual(story(periods), ['400'])
    assert.equal(periods[0]?.to_outbox_id, person?.[0]?.to_outbox_id)
    assert.equal(periods[0]?.to_message_id, person?.[0]?.to_message_id)
  }
})

test('concurrent changes on both nodes leave consistent role periods', async () => {
  const people = await world.people('p1', 'p2', 'p3', 'p4')

  const changes = people.flatMap(({ user_id }, index) => {
    const on = (node: 'a' | 'b') => owner.on(node).users
    return [
      on('a').update({ user_id, role: 600 }),
      on('b').update({ user_id, role: 400 }),
      on(index % 2 ? 'a' : 'b').deactivate({ user_id }),
      on('b').reactivate({ user_id }),
      on('a').update({ user_id, role: 600 }),
    ]
  })
  await Promise.all(changes)

  for (const person of people) {
    const periods = await periodsOf(person)
    assertConsistent(periods)
    const { user } = await owner.users.get({ user_id: person.user_id })
    const open = periods.filter((period) => period.to_outbox_id === null)
    assert.deepEqual(
      open.map((period) => period.role === 600),
      user.is_active ? [user.is_guest] : [],
    )
  }
})
