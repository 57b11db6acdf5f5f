import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TypingEvent } from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import { call, refusal } from '../../test/refusal.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const listens = (person: typeof iris) => openQueue(person, { event_types: ['typing', 'realm_user'] })
const shown = ({ user_id, email }: typeof iris) => ({ user_id, email })

/** Something that everyone hears, after which nothing that came before is missing. */
const mark = () => world.owner.users.update({ user_id: fern.user_id, full_name: `Fern ${Math.random()}` })

for (const path of ['/set-typing-status', '/typing']) {
  test(`those in the conversation hear of it at ${path}, the sender too, and nobody else`, async () => {
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

test('what is wrong is told in order: nobody, the operation, who', async () => {
  const attempt = (op: string, to: string) => call(world, iris, 'POST /typing', { op, to })

  const nobody = refusal("Missing parameter: 'to' (recipient)")
  assert.deepEqual(await attempt('pause', '[]'), nobody)
  assert.deepEqual(await attempt('pause', '[-1]'), refusal("Invalid 'op' value (should be start or stop)"))
  assert.deepEqual(await attempt('start', `[${otto.user_id},99999]`), refusal('Invalid user ID 99999'))
  assert.deepEqual(await attempt('start', JSON.stringify([otto.email])), refusal('to[0] is not an integer'))
  assert.deepEqual(await attempt('start', '5'), refusal('to is not a list'))
  const crowd = JSON.stringify(Array.from({ length: 1_001 }, (_, id) => id))
  assert.deepEqual(await attempt('start', crowd), refusal('Too many recipients (limit: 1000)'))
})

test('someone of another organization is nobody', async () => {
  const { owner } = await world.addOrganization('hill')

  await assert.rejects(
    iris.typing.tell({ op: 'start', to: [owner.user_id] }),
    refusal(`Invalid user ID ${owner.user_id}`),
  )
})

test('addresses are those that are shown, and whoever is deactivated is named and not told', async () => {
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

test('a queue that is read much later is not told who typed then', async (t) => {
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
