import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { readMessages, sendToStream } from '@oxbow/testkit/calls/messages'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris] = await world.people('iris')

test('a new user gets the recent messages of the default streams, and the newest are unread', async () => {
  const streams = [
    await world.stream('garden', { members: [iris] }),
    await world.stream('pond', { members: [iris] }),
    await world.stream('cellar', { by: iris, members: [iris, world.owner], invite_only: true }),
  ]
  for (const { stream_id } of streams) await world.owner.defaultStreams.add({ stream_id })
  await world.stream('lawn', { members: [iris] })
  const old = await sendToStream(iris, 'garden', 'roses', 'old')
  await world.database.query(
    `update message set sent_at = now() - interval '8 days' where organization_id = $1`,
    [world.organization_id],
  )
  const ids: MessageId[] = []
  for (let index = 0; index < 30; index++)
    ids.push(await sendToStream(iris, index % 2 ? 'garden' : 'pond', 'roses', `${index}`))
  await sendToStream(iris, 'cellar', 'roses', 'hidden')
  await sendToStream(iris, 'lawn', 'roses', 'elsewhere')

  const nell = await world.person('nell')
  const later = await sendToStream(iris, 'garden', 'roses', 'later')

  const messages = await readMessages(nell)
  assert.deepEqual(
    messages.map(({ id }) => id),
    [...ids, later],
  )
  assert.deepEqual(
    messages.filter(({ flags }) => flags.length === 0).map(({ id }) => id),
    [...ids.slice(-20), later],
  )
  assert.ok((await readMessages(nell, { stream: 'garden' })).some(({ id }) => id === old))
  const { unread_msgs } = await nell.events.register({
    fetch_event_types: ['message', 'update_message_flags'],
  })
  assert.equal(unread_msgs?.count, 21)
})

test('a deactivated user does not receive messages of a stream that is archived before reactivation', async () => {
  const moss = await world.person('moss')
  const { stream_id, name } = await world.stream('shed', { by: iris, members: [iris, moss] })
  const sent = [await sendToStream(iris, name, 'roses', 'before')]
  await world.owner.users.deactivate({ user_id: moss.user_id })
  sent.push(await sendToStream(iris, name, 'roses', 'meanwhile'))
  await world.owner.streams.archive({ stream_id })
  await world.owner.users.reactivate({ user_id: moss.user_id })

  const found = (await readMessages(moss)).filter(({ id }) => sent.includes(id))
  assert.deepEqual(
    found.map(({ id }) => sent.indexOf(id)),
    [0],
  )
})

test('messages sent while a user is deactivated are not received after reactivation', async () => {
  const fern = await world.person('fern')
  const vault = await world.stream('vault', {
    by: iris,
    members: [iris, fern],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const sent = [await sendToStream(iris, vault.name, 'roses', 'before')]
  await world.owner.users.deactivate({ user_id: fern.user_id })
  sent.push(await sendToStream(iris, vault.name, 'roses', 'meanwhile'))
  await world.owner.users.reactivate({ user_id: fern.user_id })
  const queue = await fern.events.register({ event_types: ['message'] })
  sent.push(await sendToStream(iris, vault.name, 'roses', 'after'))

  const found = (await readMessages(fern)).filter(({ id }) => sent.includes(id))
  assert.deepEqual(
    found.map(({ id }) => sent.indexOf(id)),
    [0, 2],
  )
  await assert.rejects(fern.messages.getRaw({ message_id: sent[1] as MessageId }), {
    errorName: 'INVALID_MESSAGE',
  })
  await world.settled()
  const { events } = await fern.on('b').events.poll({ ...queue, dont_block: true })
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.id),
    [sent[2]],
  )
})
