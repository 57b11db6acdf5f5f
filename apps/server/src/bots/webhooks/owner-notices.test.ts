import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { deliver } from '@oxbow/testkit/calls/webhooks'
import { collectNotices } from '../../streams/test/pending-notices.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

let count = 0
/** Creates a bot. Every test needs a new one, because notices are limited per bot. */
const newBot = (type: BotType = BotType.incomingWebhook) => world.bot(`hook${count++}`, iris, type)
const noticesAfter = async (work: () => Promise<unknown>) =>
  (await collectNotices(world, work)).map((notice) => {
    assert.ok('users' in notice)
    assert.deepEqual(notice.users, [iris.user_id])
    return notice.content
  })
const to = (bot: Person, stream: string) => deliver(world, { bot, query: { stream } })

test('the owner gets a notice about a missing stream, and at most one notice per minute', async () => {
  const bot = await newBot()
  const [notice, ...more] = await noticesAfter(() => to(bot, 'nowhere'))
  assert.equal(
    notice,
    `Your bot \`${bot.email}\` tried to send a message to stream #**nowhere**, but that stream does not exist. Click [here](#streams/new) to create it.`,
  )
  assert.deepEqual(more, [])
  assert.deepEqual(await noticesAfter(() => to(bot, 'elsewhere')), [])
  assert.deepEqual(await noticesAfter(() => deliver(world, { bot, node: 'b', body: 'no JSON' })), [])
  await world.database.query("update owner_notice set told_at = now() - interval '61 seconds'")
  assert.equal(
    (await noticesAfter(() => deliver(world, { bot, node: 'b', query: { stream: 'nowhere' } }))).length,
    1,
  )
})

test('the owner gets a notice about an unknown stream id', async () => {
  const bot = await newBot()
  assert.deepEqual(await noticesAfter(() => to(bot, '987654')), [
    `Your bot \`${bot.email}\` tried to send a message to stream ID 987654, but there is no stream with that ID.`,
  ])
})

test('the owner gets a notice about a stream without subscribers, and the message is sent', async () => {
  const bot = await newBot()
  await world.stream('empty')
  await world.owner.subscriptions.unsubscribe({ subscriptions: ['empty'] })
  const expected = [
    `Your bot \`${bot.email}\` tried to send a message to stream #**empty**. The stream exists but does not have any subscribers.`,
  ]
  assert.deepEqual(
    await noticesAfter(async () => assert.equal((await to(bot, 'empty')).status, 200)),
    expected,
  )
  const rows = await world.database.query('select from message where sender_id = $1', [bot.user_id])
  assert.equal(rows.length, 1)
  await world.stream('occupied')
  assert.deepEqual(await noticesAfter(() => to(bot, 'occupied')), [])
})

test('messages sent by bots cause owner notices, and messages sent by people do not', async () => {
  const send = (person: Person, stream: string | number) =>
    person.messages.send({ type: 'stream', to: stream, topic: 'x', content: 'y' }).catch(() => {})
  const missing = (email: string, rest: string) =>
    `Your bot \`${email}\` tried to send a message to stream ${rest}`
  const [one, two] = [await newBot(BotType.generic), await newBot(BotType.generic)]
  assert.deepEqual(await noticesAfter(() => send(one, 'nowhere')), [
    missing(
      one.email,
      '#**nowhere**, but that stream does not exist. Click [here](#streams/new) to create it.',
    ),
  ])
  assert.deepEqual(await noticesAfter(() => send(two, 987654)), [
    missing(two.email, 'ID 987654, but there is no stream with that ID.'),
  ])
  assert.deepEqual(await noticesAfter(() => send(iris, 'nowhere')), [])
})

test('the owner gets a notice about a payload that is not JSON, unless the service sends forms', async () => {
  const bot = await newBot()
  const [notice] = await noticesAfter(() => deliver(world, { bot, body: 'no JSON' }))
  assert.match(notice ?? '', /HelloWorld that is not JSON/)
  const other = await newBot()
  assert.deepEqual(
    await noticesAfter(() => deliver(world, { bot: other, integration: 'zapier', body: 'no JSON' })),
    [],
  )
})

test('the owner gets a notice about a missing header', async () => {
  const bot = await newBot()
  let response: Awaited<ReturnType<typeof deliver>> | undefined
  const [notice] = await noticesAfter(async () => {
    response = await deliver(world, { bot, integration: 'github' })
  })
  assert.equal(response?.body.code, 'MISSING_HTTP_EVENT_HEADER')
  assert.equal(response.body.msg, "Missing the HTTP event header 'X_GITHUB_EVENT'")
  for (const word of ['hook', '/api/v1/external/github', 'X-GitHub-Event', 'GitHub'])
    assert.ok(notice?.includes(word), notice)
})
