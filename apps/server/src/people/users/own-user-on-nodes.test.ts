import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { Dice, testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import pg from 'pg'
import { findMaxMessageId } from '../../messages/unread/own-messages.ts'
import type { Reader } from '../../messages/visibility.ts'
import { connectionOptions } from '../../platform/database/database.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

/** Returns the responses of `GET /users/me` from both nodes, and the newest message id in PostgreSQL. */
async function readOwn(person: Person) {
  const reader = {
    organization_id: world.organization_id,
    user_id: person.user_id,
    role: 400,
  } as unknown as Reader
  const inDatabase = await findMaxMessageId(world.nodes.a.app.db, reader)
  const responses = [await person.on('b').users.me(), await person.on('a').users.me()]
  return { inDatabase, responses }
}

test('GET /users/me includes a change on both nodes as soon as one node has committed it', async () => {
  const [iris, otto] = await world.people('iris', 'otto')
  const garden = await world.stream('garden', { members: [iris, otto] })
  const sent: number[] = []
  let name = 'Iris Gardener'
  const steps = [
    async () => sent.push(await sendToStream(otto, garden, 'roses')),
    async () => sent.push(await sendPrivately(iris, [otto])),
    async () => sent.push(await sendPrivately(otto.on('b'), [iris])),
    async () => {
      const id = sent.pop()
      if (id) await world.owner.messages.remove({ message_id: id }).catch(() => {})
    },
    () => iris.on('b').subscriptions.unsubscribe({ subscriptions: [garden.name] }),
    () => iris.subscriptions.subscribe({ subscriptions: [{ name: garden.name }] }),
    async () => {
      name = `Iris ${sent.length} ${Math.round(performance.now())}`
      await iris.users.updateSettings({ full_name: name })
    },
    () => otto.presence.report({ status: 'active' }),
  ]
  const dice = new Dice(testSeed)
  for (let step = 0; step < bySize({ gate: 60, long: 600 }); step++) {
    await dice.pick(steps)()
    const { inDatabase, responses } = await readOwn(iris)
    for (const { max_message_id, full_name } of responses) {
      assert.deepEqual([max_message_id, full_name], [inDatabase, name], `after step ${step}`)
    }
  }
})

test('GET /users/me does not read user_message if nothing has changed', async () => {
  const nora = await world.person('nora')
  const note = await sendPrivately(nora, [nora])
  await world.settled()
  assert.equal((await nora.users.me()).max_message_id, note)
  const locker = new pg.Client(connectionOptions(world.database.url))
  await locker.connect()
  try {
    await locker.query('begin; lock table user_message in access exclusive mode')
    for (let i = 0; i < 5; i++) assert.equal((await nora.users.me()).max_message_id, note)
  } finally {
    await locker.end()
  }
})
