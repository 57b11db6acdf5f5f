import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Role, type ScheduledMessageId } from '@oxbow/contract'
import { eventually, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { listScheduled, nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { collectNotices } from '../../../streams/test/pending-notices.ts'
import { deliverNow } from '../test/deliver-now.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')

let count = 0
const someone = () => world.person(`someone${count++}`)
const someStream = (options = {}) => world.stream(`stream ${count++}`, options)

/**
 * Schedules a message, runs `change`, and delivers the message. Checks that the delivery fails, and
 * returns the reason.
 */
async function failAfter(
  person: Person,
  to: number | number[],
  change: () => Promise<unknown>,
): Promise<string | undefined> {
  const id = await schedule(person, { to })
  const inbox = await openQueue(person, { event_types: ['scheduled_messages', 'message'] })
  await change()
  const [notice, ...others] = await collectNotices(world, () => deliverNow(world, [id]))

  const [listed] = await listScheduled(person)
  assert.deepEqual([listed?.scheduled_message_id, listed?.failed, others], [id, true, []])
  const reason = listed?.failure_message ?? ''
  assert.ok(notice && 'users' in notice, 'the sender gets a notice')
  assert.deepEqual(notice.users, [person.user_id])
  assert.ok(notice.content.includes(reason), notice.content)
  const [event] = await inbox.take(1)
  assert.deepEqual(
    event?.type === 'scheduled_messages' && event.op === 'update' && event.scheduled_message,
    listed,
  )
  return listed?.failure_message
}

test('a message to a stream that was archived after scheduling fails', async () => {
  const { stream_id } = await someStream()
  assert.equal(
    await failAfter(iris, stream_id, () => owner.streams.archive({ stream_id })),
    `Stream with ID '${stream_id}' does not exist`,
  )
})

test('a message of a person who left a private stream fails', async () => {
  const person = await someone()
  const { stream_id, name } = await someStream({ invite_only: true, members: [owner, person] })
  const leave = () => person.subscriptions.unsubscribe({ subscriptions: [name] })
  assert.equal(await failAfter(person, stream_id, leave), `Not authorized to send to stream '${name}'`)
})

test("a message to a public stream that became private fails, without the stream's name in the reason", async () => {
  const person = await someone()
  const { stream_id } = await someStream()
  const hide = () => owner.streams.update({ stream_id, new_name: `secret ${count++}`, is_private: true })
  assert.equal(await failAfter(person, stream_id, hide), `Stream with ID '${stream_id}' does not exist`)
})

test('a message fails if the sender has lost the right to post to the stream', async () => {
  const person = await someone()
  const { stream_id } = await someStream({ members: [owner, person] })
  assert.equal(
    await failAfter(person, stream_id, () => owner.streams.update({ stream_id, stream_post_policy: 2 })),
    'Only organization administrators can send to this stream.',
  )
})

test('a message of a person who became a guest fails in streams that the guest is not subscribed to', async () => {
  const person = await someone()
  const { stream_id } = await someStream()
  const demote = () => owner.users.update({ user_id: person.user_id, role: Role.guest })
  assert.equal(await failAfter(person, stream_id, demote), `Stream with ID '${stream_id}' does not exist`)
})

test('a scheduled private message fails if its recipient was deactivated or private messages were disabled', async () => {
  const [person, gone] = [await someone(), await someone()]
  assert.equal(
    await failAfter(person, [gone.user_id], () => owner.users.deactivate({ user_id: gone.user_id })),
    `'${gone.email}' is no longer using Oxbow.`,
  )
  const quiet = await someone()
  const disable = () => setOrganizationRules(world, 'private_message_policy = 2')
  const reason = await failAfter(quiet, [otto.user_id], disable)
  await setOrganizationRules(world, 'private_message_policy = 1')
  assert.equal(reason, 'Private messages are disabled in this organization.')
})

test('a message without a topic fails if topics became mandatory', async () => {
  const person = await someone()
  const { stream_id } = await someStream()
  const id = await schedule(person, { to: stream_id, topic: '(no topic)' })
  await setOrganizationRules(world, 'mandatory_topics = true')
  await deliverNow(world, [id])
  await setOrganizationRules(world, 'mandatory_topics = false')
  const [listed] = await listScheduled(person)
  assert.equal(listed?.failure_message, 'Topics are required in this organization.')
})

test("changes of the sender's role, key or name apply to scheduled messages", async () => {
  const person = await someone()
  const { stream_id, name } = await someStream({ members: [owner, person] })
  await owner.streams.update({ stream_id, stream_post_policy: 2 })
  await owner.users.update({ user_id: person.user_id, role: Role.administrator })
  const id = await schedule(person, { to: stream_id, content: 'See #**core**' })
  await person.users.regenerateApiKey()
  await owner.users.update({ user_id: person.user_id, full_name: 'Another Name' })
  // This stream did not exist when the message was scheduled.
  await world.stream('core')
  await deliverNow(world, [id])

  const [message] = await readMessages(owner, { stream: name })
  assert.equal(message?.sender_full_name, 'Another Name')
  const [html] = (
    await owner.messages.list({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'stream', operand: name }],
    })
  ).messages
  assert.match(html?.content ?? '', /class="stream"/)
})

test("a deactivated person's scheduled messages fail without a notice, and are kept until reactivation", async () => {
  const person = await someone()
  const { stream_id, name } = await someStream()
  const ids = [await schedule(person, { to: stream_id }), await schedule(person, { to: [otto.user_id] })]
  await owner.users.deactivate({ user_id: person.user_id })
  await deliverNow(world, ids)
  await owner.users.reactivate({ user_id: person.user_id })

  const listed = await listScheduled(person)
  assert.deepEqual(
    listed.map(({ failed, failure_message }) => [failed, failure_message]),
    ids.map(() => [true, 'Account is deactivated']),
  )
  assert.deepEqual(await readMessages(owner, { stream: name }), [])
})

test('scheduled messages of a deactivated organization fail', async () => {
  const { owner: hills } = await world.addOrganization('hill')
  const id = await schedule(hills, { type: 'private', to: [hills.user_id] })
  await world.database.query("update organization set deactivated_at = now() where subdomain = 'hill'")
  await deliverNow(world, [id])
  await world.database.query("update organization set deactivated_at = null where subdomain = 'hill'")
  const [listed] = await listScheduled(hills)
  assert.equal(listed?.failure_message, 'This organization has been deactivated')
})

test('the owner of a bot is notified of its failures', async () => {
  const bot = await world.bot(`bot${count++}`, iris)
  const { stream_id } = await someStream()
  const id = await schedule(bot, { to: stream_id })
  await owner.streams.archive({ stream_id })
  const [notice] = await collectNotices(world, () => deliverNow(world, [id]))

  assert.ok(notice && 'users' in notice)
  assert.deepEqual(notice.users, [iris.user_id])
  assert.match(notice.content, /^The following scheduled messages of your bot bot\d+ bot were not sent:/)
})

test('many failures at the same time cause one notice', async () => {
  const person = await someone()
  const { stream_id } = await someStream()
  const ids: ScheduledMessageId[] = []
  for (let index = 0; index < 30; index++) ids.push(await schedule(person, { to: stream_id }))
  await owner.streams.archive({ stream_id })
  const notices = await collectNotices(world, () => deliverNow(world, ids))

  assert.equal(notices.length, 1)
  assert.match(notices[0]?.content ?? '', /\n\* and 20 more\n/)
})

test('the owner of a bot gets at most one notice per minute, which lists all failures so far', async () => {
  const bot = await world.bot(`bot${count++}`, iris)
  const { stream_id } = await someStream()
  const ids: ScheduledMessageId[] = []
  for (let index = 0; index < 3; index++) ids.push(await schedule(bot, { to: stream_id }))
  await owner.streams.archive({ stream_id })
  const [first, ...others] = ids
  const notified = await collectNotices(world, async () => {
    await call(world, bot, 'POST /messages', { type: 'stream', to: 'nowhere', topic: 'x', content: 'x' })
    await world.database.query('update scheduled_message set attempt_at = now() where id = $1', [first])
    await eventually(async () => (await listScheduled(bot)).some(({ failed }) => failed))
    await world.database.query('update scheduled_message set attempt_at = now() where id = any($1)', [others])
    await eventually(async () => (await listScheduled(bot)).every(({ failed }) => failed))
    // Both nodes check for failures again within this time.
    await setTimeout(1_500)
  })
  assert.deepEqual(
    notified.map(({ content }) => /does not exist/.test(content)),
    [true],
  )

  const [notice, ...more] = await collectNotices(world, async () => {
    await world.database.query("update owner_notice set told_at = told_at - interval '1 minute'")
    await deliverNow(world, ids)
  })
  assert.equal(notice?.content.match(/^\* a message for /gm)?.length, 3)
  assert.deepEqual(more, [])
})

test('a failed message is sent only after it gets a new time', async () => {
  const person = await someone()
  const { stream_id, name } = await someStream({ invite_only: true, members: [owner, person] })
  const id = await schedule(person, { to: stream_id })
  const principals = [person.user_id]
  await owner.subscriptions.unsubscribe({ subscriptions: [name], principals })
  await deliverNow(world, [id])
  await owner.subscriptions.subscribe({ subscriptions: [{ name }], principals })

  assert.deepEqual(
    await call(world, person, `PATCH /scheduled_messages/${id}`, { content: 'Again.' }),
    refusal('Scheduled delivery time must be in the future.'),
  )
  const scheduled_delivery_timestamp = nextWeek()
  await person.scheduledMessages.edit({
    scheduled_message_id: id,
    content: 'Again.',
    scheduled_delivery_timestamp,
  })
  const [listed] = await listScheduled(person)
  assert.deepEqual([listed?.failed, listed?.failure_message], [false, undefined])
  await deliverNow(world, [id])
  const messages = await readMessages(person, { stream: name })
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['Again.'],
  )
})
