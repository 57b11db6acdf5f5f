import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { listPendingNotices } from '../../streams/test/pending-notices.ts'

const world = await startWorld({ notices: true })
after(() => world[Symbol.asyncDispose]())

test('every new person gets one unread private message from the welcome bot, and bots get none', async () => {
  const { owner } = world
  const iris = await world.person('iris')
  await owner.users.create({
    email: 'otto@garden.example',
    password: 'heron lake 77 reeds',
    full_name: 'Otto Gardener',
  })
  await world.bot('robin', iris)
  await eventually(async () => (await listPendingNotices(world)).length === 0)

  const sent = await world.database.query<{ name: string }>(
    `select reader.full_name as name from message m
     join system_account a on a.id = m.sender_id and a.email = 'welcome-bot@oxbow.invalid'
     join user_message u on u.message_id = m.id and u.is_unread
     join user_account reader on reader.id = u.user_id
     order by reader.id`,
  )
  assert.deepEqual(
    sent.map(({ name }) => name),
    ['Olive Owner', 'Iris Gardener', 'Otto Gardener'],
  )
  const [message] = await readMessages(iris, { is: 'private' })
  assert.ok(message?.type === 'private')
  assert.deepEqual([message.sender_full_name, message.flags], ['Welcome Bot', []])
  assert.match(message.content, /^Hello, and welcome to Oxbow!/)
  assert.match(
    message.content,
    /You can try things out in this conversation: only you see it\. I do not answer\./,
  )
  const { cross_realm_bots } = await iris.events.register({ fetch_event_types: ['realm_user'] })
  assert.deepEqual(
    cross_realm_bots?.map(({ email, user_id }) => [email, user_id === message.sender_id]),
    [
      ['notification-bot@oxbow.invalid', false],
      ['welcome-bot@oxbow.invalid', true],
    ],
  )
})
