import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, BotType, type OrganizationId, type WebhookFailureId } from '@oxbow/contract'
import { eventually, type Person, startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { article, deliver, greeting } from '@oxbow/testkit/calls/webhooks'
import { lockRoles } from '../../../platform/database/locks.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { deleteOldFailuresJob } from './delete-old-failures.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
await world.stream('garden', { members: [iris] })

let count = 0
const newBot = () => world.bot(`hook${count++}`, iris, BotType.incomingWebhook)
const list = async (bot: Person, reader = iris) =>
  (await reader.webhooks.listFailures({ bot_id: bot.user_id })).webhook_failures
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error) => (error instanceof ApiError ? error.errorName : Promise.reject(error)),
  )

test('a refused delivery is saved without secrets', async () => {
  const bot = await newBot()
  const body = JSON.stringify({ featured_title: 'Roses', url: `https://x.example/?api_key=${bot.api_key}` })
  await deliver(world, {
    bot,
    body,
    query: { stream: 'garden', topic: 'ä b', webhook_secret: 'rosebud', auth_token: 'thorn' },
    headers: { 'content-type': 'text/plain', authorization: 'Bearer thorn', 'user-agent': 'Roses/1.0' },
  })
  const [failure, ...more] = await list(bot)

  assert.deepEqual(more, [])
  assert.ok(failure && Math.abs(failure.received_at - Date.now() / 1000) < 60)
  assert.deepEqual(
    { ...failure, id: 0, received_at: 0 },
    {
      id: 0,
      received_at: 0,
      integration: 'helloworld',
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      reason: 'Unable to parse request: Did Hello World generate this event?',
      query: 'stream=garden&topic=%C3%A4+b',
      headers: { 'content-type': 'text/plain', 'user-agent': 'Roses/1.0' },
      body: body.replace(bot.api_key, '…'),
      body_bytes: Buffer.byteLength(body),
      may_be_replayed: true,
    },
  )
  const rows = JSON.stringify(await world.database.query('select * from webhook_failure'))
  for (const secret of [bot.api_key, 'rosebud', 'thorn']) assert.ok(!rows.includes(secret))
})

test('secret form fields are removed from a saved delivery, and others are kept', async () => {
  const bot = await newBot()
  for (const bodyKind of ['form', 'multipart'] as const)
    await deliver(world, {
      [bodyKind]: { api_key: bot.api_key, stream: 'garden', token: 'thorn', text: 'hi' },
    })
  const failures = await list(bot)

  assert.equal(failures.length, 2)
  for (const { body, headers } of failures) {
    assert.equal(body, 'stream=garden&text=hi')
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
  }
})

test('unauthenticated deliveries are not saved', async () => {
  const before = await world.database.query('select from webhook_failure')
  await deliver(world, { query: { api_key: 'z'.repeat(32) } })
  await deliver(world, {})
  await deliver(world, { bot: otto })
  await deliver(world, { bot: await newBot(), integration: 'nonesuch' })
  assert.equal((await world.database.query('select from webhook_failure')).length, before.length)
})

test('a saved delivery can be replayed once after its cause is fixed', async () => {
  const bot = await newBot()
  await deliver(world, { bot, query: { stream: 'orchard' } })
  const [failure] = await list(bot)
  assert.ok(failure)
  const target = { bot_id: bot.user_id, failure_id: failure.id }

  assert.deepEqual(await iris.webhooks.replayFailure(target), {
    outcome: 'refused',
    message_ids: [],
    code: 'STREAM_DOES_NOT_EXIST',
    reason: "Stream 'orchard' does not exist",
  })
  await world.stream('orchard', { members: [iris] })
  const outcomes = await Promise.allSettled([
    iris.webhooks.replayFailure(target),
    iris.on('b').webhooks.replayFailure(target),
  ])
  const [message, ...more] = await readMessages(iris, { stream: 'orchard' })

  assert.deepEqual([message?.content, message?.sender_id, more], [greeting, bot.user_id, []])
  for (const outcome of outcomes)
    if (outcome.status === 'fulfilled')
      assert.deepEqual(outcome.value, { outcome: 'delivered', message_ids: [message?.id] })
    else assert.equal((outcome.reason as ApiError).errorName, 'NO_SUCH_WEBHOOK_FAILURE')
  assert.deepEqual(await list(bot), [])
  assert.equal(await errorOf(iris.webhooks.replayFailure(target)), 'NO_SUCH_WEBHOOK_FAILURE')
})

test('unsigned or overlarge deliveries cannot be replayed', async () => {
  const bot = await newBot()
  await deliver(world, {
    bot,
    integration: 'github',
    query: { webhook_secret: 'rosebud' },
    headers: { 'x-github-event': 'ping' },
  })
  await deliver(world, { bot, json: { more: 'x'.repeat(300_000) } })
  const [large, unsigned] = await list(bot)
  const replay = (failure_id: WebhookFailureId | undefined) =>
    errorOf(iris.webhooks.replayFailure({ bot_id: bot.user_id, failure_id: failure_id as WebhookFailureId }))

  assert.deepEqual([large?.body, large?.may_be_replayed, unsigned?.may_be_replayed], ['', false, false])
  assert.ok((large?.body_bytes ?? 0) > 300_000)
  assert.equal(await replay(large?.id), 'WEBHOOK_FAILURE_INCOMPLETE')
  assert.equal(await replay(unsigned?.id), 'WEBHOOK_FAILURE_UNSIGNED')
})

test('the event header of a delivery is saved and used in its replay', async () => {
  const bot = await newBot()
  const headers = { 'x-github-event': 'ping', 'x-github-delivery': 'one', 'x-hub-signature-256': 'sha256=aa' }
  const json = { zen: 'x', hook: { type: 'Repository' }, repository: { name: 'beds' } }
  await deliver(world, { bot, integration: 'github', headers, json, query: { stream: 'pond' } })
  const [failure] = await list(bot)
  assert.deepEqual(
    [failure?.headers['x-github-event'], failure?.headers['x-github-delivery']],
    ['ping', 'one'],
  )
  assert.ok(!JSON.stringify(failure).includes('sha256=aa'))
  await world.stream('pond', { members: [iris] })
  const target = { bot_id: bot.user_id, failure_id: failure?.id as WebhookFailureId }
  assert.equal((await iris.webhooks.replayFailure(target)).outcome, 'delivered')
  // The service sends the same delivery again.
  await deliver(world, { bot, integration: 'github', headers, json, query: { stream: 'pond' } })
  assert.equal((await readMessages(iris, { stream: 'pond' })).length, 1)
})

test('the content of a failed delivery is shown only to the owner that the bot had at that time', async () => {
  const bot = await newBot()
  const ada = await world.person('ada', 'administrator')
  await deliver(world, { bot, query: { stream: 'thicket' }, json: { secret: 'rosebud' } })
  const [failure] = await list(bot)
  assert.equal(failure?.body, '{"secret":"rosebud"}')
  const target = { bot_id: bot.user_id, failure_id: failure?.id as WebhookFailureId }
  const refuseOthers = async (people: readonly Person[]) => {
    for (const person of people) {
      const [shown] = await list(bot, person)
      const hidden: object = { ...failure, query: '', headers: {}, body: '', may_be_replayed: false }
      assert.deepEqual(shown, hidden, person.email)
      assert.equal(await errorOf(person.webhooks.replayFailure(target)), 'INSUFFICIENT_PERMISSION')
    }
  }

  await refuseOthers([world.owner, ada])
  for (const next of [ada, otto]) {
    await world.owner.bots.update({ bot_id: bot.user_id, bot_owner_id: next.user_id })
    await refuseOthers([world.owner, next])
  }
})

test('a former owner who still sees the bot as an administrator cannot replay deliveries with it', async () => {
  const bess = await world.person('bess', 'administrator')
  const vault = await world.stream('vault', { members: [otto], invite_only: true })
  const bot = await world.bot(`hook${count++}`, bess, BotType.incomingWebhook)
  await deliver(world, { bot, query: { stream: vault.name } })
  const [failure] = await list(bot, bess)
  assert.equal(failure?.may_be_replayed, true)
  const target = { bot_id: bot.user_id, failure_id: failure.id }

  await bess.bots.update({ bot_id: bot.user_id, bot_owner_id: otto.user_id })

  assert.equal(await errorOf(bess.webhooks.replayFailure(target)), 'INSUFFICIENT_PERMISSION')
  assert.deepEqual(await readMessages(otto, { stream: vault.name }), [])
  const [kept] = await list(bot, bess)
  assert.deepEqual([kept?.query, kept?.may_be_replayed], ['stream=vault', false])
})

test('a delivery that arrives while the bot gets another owner is shown to its previous owner', async () => {
  const tess = await world.person('tess', 'administrator')
  const bot = await world.bot(`hook${count++}`, tess, BotType.incomingWebhook)
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  const waitForLocks = (waitingCount: number) =>
    eventually(async () => (await world.database.query(waiting)).length === waitingCount)

  const { giving, delivering } = await inTransaction(world.nodes.b.app.db, async (tx) => {
    await lockRoles(tx, world.organization_id as OrganizationId, 'exclusive')
    const giving = tess.bots.update({ bot_id: bot.user_id, bot_owner_id: otto.user_id })
    await waitForLocks(1)
    const delivering = deliver(world, { bot, query: { stream: 'garden' } })
    await waitForLocks(2)
    return { giving, delivering }
  })
  await giving
  assert.equal((await delivering).body.code, 'INVALID_API_KEY')

  const [failure, ...others] = await list(bot, tess)
  assert.deepEqual([failure?.query, others], ['stream=garden', []])
  const hidden: object = { ...failure, query: '', headers: {}, body: '', may_be_replayed: false }
  assert.deepEqual(await list(bot, otto), [hidden])
})

test('a list without bodies is otherwise the same', async () => {
  const bot = await newBot()
  await deliver(world, { bot, query: { stream: 'hedge' } })
  await deliver(world, { bot, json: { more: 'x'.repeat(300_000) } })
  const whole = await list(bot)
  const { webhook_failures } = await iris.webhooks.listFailures({
    bot_id: bot.user_id,
    include_bodies: false,
  })

  assert.deepEqual(
    whole.map(({ body, may_be_replayed }) => [body !== '', may_be_replayed]),
    [
      [false, false],
      [true, true],
    ],
  )
  assert.deepEqual(
    webhook_failures,
    whole.map((failure) => ({ ...failure, body: '' })),
  )
})

test("saved deliveries are visible only to the bot's owner and administrators", async () => {
  const bot = await newBot()
  await deliver(world, { bot, json: {} })
  const [failure] = await list(bot)
  const target = { bot_id: bot.user_id, failure_id: failure?.id as WebhookFailureId }

  assert.equal((await list(bot, world.owner)).length, 1)
  assert.equal(await errorOf(list(bot, otto)), 'INSUFFICIENT_PERMISSION')
  assert.equal(await errorOf(otto.webhooks.replayFailure(target)), 'INSUFFICIENT_PERMISSION')
  assert.equal(await errorOf(list(iris)), 'NO_SUCH_BOT')
  const other = await newBot()
  const targetOfOtherBot = { ...target, bot_id: other.user_id }
  assert.equal(await errorOf(iris.webhooks.replayFailure(targetOfOtherBot)), 'NO_SUCH_WEBHOOK_FAILURE')
})

test('the newest hundred failures are kept for fourteen days', async () => {
  const bot = await newBot()
  for (let index = 0; index < 105; index++) await deliver(world, { bot, json: { place: index } })
  const failures = await list(bot)
  assert.equal(failures.length, 100)
  assert.deepEqual([failures[0]?.body, failures[99]?.body], ['{"place":104}', '{"place":5}'])

  await world.database.query(
    "update webhook_failure set received_at = now() - interval '14 days 1 minute' where body = $1",
    ['{"place":7}'],
  )
  assert.equal((await list(bot)).length, 99)
  await deleteOldFailuresJob.run(world.nodes.a.app, {})
  const rows = await world.database.query('select from webhook_failure where bot_id = $1', [bot.user_id])
  assert.equal(rows.length, 99)
})

test('invalid UTF-8 bytes are saved and replayed unchanged', async () => {
  const bot = await newBot()
  await deliver(world, { bot, body: '\0\ud83c{', query: { stream: 'x\0' } })
  const [failure] = await list(bot)
  assert.equal(failure?.code, 'INVALID_JSON')
  await deliver(world, { bot, query: { stream: 'x\0y' }, json: article })
  assert.equal((await list(bot)).length, 2)
  assert.deepEqual(world.log.problems(), [])
})
