import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { eventually, type Person, startWorld } from '@oxbow/testkit'
import type { Notices } from '../streams/notices.ts'
import { listPendingNotices } from '../streams/test/pending-notices.ts'
import { sendNotices } from './notices.ts'

const world = await startWorld({ notices: true })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')

const allIsSaid = () => eventually(async () => (await listPendingNotices(world)).length === 0)
const newest = async (person: Person, narrow: { operator: string; operand: string }[] = []) => {
  await allIsSaid()
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow }
  return (await person.messages.list(page)).messages[0]
}

test('a user who was subscribed by someone else gets a private message from the notification bot', async () => {
  await world.stream('garden')
  await allIsSaid()
  await iris.subscriptions.subscribe({
    subscriptions: [{ name: 'garden' }],
    principals: [iris.user_id, otto.user_id],
  })
  const message = await newest(otto, [{ operator: 'is', operand: 'private' }])
  const { cross_realm_bots = [] } = await otto.events.register({ fetch_event_types: ['realm_user'] })

  const [bot] = cross_realm_bots
  assert.ok(message?.type === 'private')
  assert.deepEqual(
    [message.sender_id, message.sender_full_name, message.client, message.flags],
    [bot?.user_id, 'Notification Bot', 'Internal', []],
  )
  assert.deepEqual(
    new Set(message.display_recipient.map(({ id }) => id)),
    new Set([otto.user_id, bot?.user_id]),
  )
  assert.match(message.content, /subscribed you to the stream <a class="stream".*>#garden<\/a>/)
  // Users can find the bot and write to it.
  const { id } = await otto.messages.send({ type: 'private', to: [bot?.user_id ?? 0], content: 'Thanks.' })
  assert.equal((await newest(otto, [{ operator: 'pm-with', operand: bot?.email ?? '' }]))?.id, id)
  assert.equal((await newest(otto, [{ operator: 'sender', operand: bot?.email ?? '' }]))?.id, message.id)
  assert.ok((await otto.users.list()).members.every(({ user_id }) => user_id !== bot?.user_id))
})

test('a notice is already read for the user who caused it', async () => {
  await iris.subscriptions.subscribe({ subscriptions: [{ name: 'pond' }] })
  const message = await newest(iris, [{ operator: 'stream', operand: 'pond' }])

  assert.ok(message?.type === 'stream')
  assert.deepEqual([message.topic, message.flags], ['stream events', ['read']])
})

test('names in a notice that contain mention syntax mention nobody', async () => {
  const { full_name } = await otto.users.me()
  const name = `@**all** @**${full_name}**`
  await world.stream(name)
  await iris.subscriptions.subscribe({
    subscriptions: [{ name }],
    principals: [iris.user_id, otto.user_id],
  })
  const message = await newest(otto, [{ operator: 'is', operand: 'private' }])

  assert.deepEqual(message?.flags, [])
  assert.equal(await newest(otto, [{ operator: 'is', operand: 'mentioned' }]), undefined)
})

test('a job that runs twice sends each notice once, and skips deactivated users and archived streams', async () => {
  const gone = await world.person('gone')
  const { stream_id } = await world.stream('lawn')
  const archived = await world.stream('heap')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  await world.owner.streams.archive({ stream_id: archived.stream_id })
  await allIsSaid()
  const count = async () => (await world.database.query('select from message')).length
  const before = await count()
  const notices: Notices = {
    id: 'twice',
    organization_id: world.organization_id as OrganizationId,
    read_by: iris.user_id,
    notices: [
      { users: [otto.user_id, gone.user_id], content: 'Hello.' },
      { stream_id, topic: 'news', content: 'Hello.' },
      { stream_id: archived.stream_id, topic: 'news', content: 'Hello.' },
    ],
  }
  await Promise.all([
    sendNotices.run(world.nodes.a.app, notices),
    sendNotices.run(world.nodes.b.app, notices),
  ])
  await sendNotices.run(world.nodes.a.app, notices)

  assert.equal(await count(), before + 2)
})
