import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TypingEvent } from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const listens = (person: typeof iris) => openQueue(person, { event_types: ['typing', 'realm_user'] })
const shown = ({ user_id, email }: typeof iris) => ({ user_id, email })

/** Emits an event to everyone. When a client gets it, the client has all earlier events. */
const mark = () => world.owner.users.update({ user_id: fern.user_id, full_name: `Fern ${Math.random()}` })

for (const path of ['/set-typing-status', '/typing']) {
  test(`POST ${path} notifies the people of the conversation, including the sender, and nobody else`, async () => {
    const queues = [await listens(iris), await listens(otto)] as const
    const outside = await listens(fern)

    await call(world, iris, `POST ${path}`, { op: 'start', to: `[${otto.user_id},${otto.user_id}]` })
    await call(world, iris, `POST ${path}`, { op: 'stop', to: `[${otto.user_id},${iris.user_id}]` })
    await mark()

    for (const queue of queues) {
      const events = (await queue.take(3)).slice(0, 2) as TypingEvent[]
      assert.deepEqual(
        events.map(({ id: _, ...event }) => event),
        ['start', 'stop'].map((op) => ({
          type: 'typing',
          op,
          sender: shown(iris),
          recipients: [shown(otto), shown(iris)],
        })),
      )
    }
    assert.deepEqual(
      (await outside.take(1)).map(({ type }) => type),
      ['realm_user'],
    )
  })
}

test('POST /set-typing-status refuses addresses', async () => {
  const params = { op: 'start', to: JSON.stringify([otto.email]) }
  const { status } = await call(world, iris, 'POST /set-typing-status', params)
  assert.equal(status, 400)
})

test('errors are reported in the order no recipients, operation, unknown recipient', async () => {
  const attempt = (op: string, to: string) => call(world, iris, 'POST /typing', { op, to })

  const nobody = refusal("Missing parameter: 'to' (recipient)")
  assert.deepEqual(await attempt('pause', '[]'), nobody)
  assert.deepEqual(await attempt('pause', '[-1]'), refusal("Invalid 'op' value (should be start or stop)"))
  assert.deepEqual(await attempt('start', `[${otto.user_id},99999]`), refusal('Invalid user ID 99999'))
  const mixed = refusal('Recipient lists may contain emails or user IDs, but not both.')
  assert.deepEqual(await attempt('start', JSON.stringify([otto.email, fern.user_id])), mixed)
  const nowhere = 'nobody@garden.example'
  assert.deepEqual(await attempt('start', `["${nowhere}"]`), refusal(`Invalid email '${nowhere}'`))
  assert.deepEqual(await attempt('start', '[true]'), refusal('to is not a list'))
  assert.deepEqual(await attempt('start', '5'), refusal('to is not a list'))
  const crowd = JSON.stringify(Array.from({ length: 1_001 }, (_, id) => id))
  assert.deepEqual(await attempt('start', crowd), refusal('Too many recipients (limit: 1000)'))
})

test('POST /typing accepts case-insensitive addresses instead of ids', async () => {
  const queue = await listens(otto)
  const { status } = await call(world, iris, 'POST /typing', {
    op: 'start',
    to: JSON.stringify([otto.email.toUpperCase()]),
  })
  const single = await call(world, iris, 'POST /typing', { op: 'stop', to: JSON.stringify(otto.email) })
  assert.deepEqual([status, single.status], [200, 200])
  for (const event of (await queue.take(2)) as TypingEvent[])
    assert.deepEqual(event.recipients, [shown(otto), shown(iris)])
})

test('a user of another organization is refused as an unknown recipient', async () => {
  const { owner } = await world.addOrganization('hill')

  await assert.rejects(
    iris.typing.tell({ op: 'start', to: [owner.user_id] }),
    refusal(`Invalid user ID ${owner.user_id}`),
  )
})

test('typing events contain display addresses, and deactivated recipients get none', async () => {
  const gone = await world.person('gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  await world.database.query('update organization set email_address_visibility = 4')
  const queue = await listens(otto)

  await iris.typing.tell({ op: 'start', to: [gone.user_id, otto.user_id] })
  const [event] = (await queue.take(1)) as TypingEvent[]
  await world.database.query('update organization set email_address_visibility = 1')

  assert.deepEqual(
    event?.recipients,
    [gone, otto, iris].map(({ user_id }) => ({ user_id, email: `user${user_id}@localhost` })),
  )
})

test('typing events expire and are not delivered to a queue that is polled later', async (t) => {
  const queue = await listens(otto)
  await iris.typing.tell({ op: 'start', to: [otto.user_id] })
  await mark()
  await world.settled()

  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 })
  const events = await queue.rest('b')

  assert.deepEqual(
    events.map(({ type }) => type),
    ['realm_user'],
  )
})

test('typing notifications are refused if private messages are disabled', async () => {
  const { owner, database } = world
  const gus = await world.person('gus', 'guest')
  const ada = await world.person('ada', 'administrator')
  const bot = await world.bot('robin', iris)
  const people = { owner, ada, iris, gus, bot }
  for (const policy of [1, 2]) {
    await database.query('update organization set private_message_policy = $1', [policy])
    for (const path of ['/set-typing-status', '/typing']) {
      for (const [name, sender] of Object.entries(people)) {
        for (const to of [[otto], [otto, fern], [bot], [bot, otto], [sender]]) {
          const ids = JSON.stringify(to.map(({ user_id }) => user_id))
          const written = await call(world, sender, 'POST /messages', {
            type: 'private',
            to: ids,
            content: 'Sunny.',
          })
          const typed = await call(world, sender, `POST ${path}`, { op: 'start', to: ids })
          assert.equal(typed.status, written.status, `${name} to ${ids} with policy ${policy}`)
          if (written.status !== 200) assert.deepEqual(typed, written)
        }
      }
    }
  }
  await database.query('update organization set private_message_policy = 1')
})
