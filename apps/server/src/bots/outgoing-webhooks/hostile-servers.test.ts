import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, OrganizationId, UserId } from '@oxbow/contract'
import { eventually, type Person, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { readMessages, sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { sql } from 'kysely'
import { notifyOwner } from './notify-owner.ts'
import { claimCalls } from './queries.ts'
import { startWebhookReceiver } from './test/webhook-receiver.ts'

const receiver = await startWebhookReceiver()
const world = await startWorld({
  ownServer: true,
  config: { outward_allowed_networks: ['127.0.0.1'] },
  resolveHost: async (host) => [host === 'bots.example' ? '127.0.0.1' : '10.0.0.1'],
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
const { owner } = world
const [iris, otto, mona] = await world.people('iris', 'otto', 'mona')
const garden = await world.stream('garden', { members: [owner, iris, otto] })
const meadow = await world.stream('meadow', { members: [owner, otto] })
const secret = await world.stream('secret', { members: [otto], invite_only: true })

let count = 0

/** Creates an outgoing webhook whose server answers like this. */
async function makeWebhook(answer: Parameters<typeof receiver.answer>[1], botOwner: Person = iris) {
  const name = `helper${++count}`
  const path = `/${name}`
  receiver.answer(path, answer)
  const bot = await makeBot(world, botOwner, name, { bot_type: 3, payload_url: receiver.url(path) })
  return { bot, mention: `@**${name} Bot**`, calls: () => receiver.callsOf(path) }
}

/** Creates an outgoing webhook whose answers wait until the test sends them. */
async function makeSlowWebhook(botOwner?: Person) {
  const held: (() => void)[] = []
  const webhook = await makeWebhook((_, response) => {
    held.push(() => response.end(JSON.stringify({ content: 'At last.' })))
  }, botOwner)
  return { ...webhook, held }
}

/** Waits until all calls of a bot have ended. */
const ended = ({ user_id }: { user_id: UserId }) =>
  eventually(async () => {
    const rows = await world.database.query('select from outgoing_webhook_call where bot_id = $1', [user_id])
    return rows.length === 0
  })

/** Returns what a bot has said to the reader in these conversations. */
async function saidBy(bot: { user_id: UserId }, reader: Person, where: Record<string, string>) {
  const messages = await readMessages(reader.on('b'), where)
  return messages.filter(({ sender_id }) => sender_id === bot.user_id).map(({ content }) => content)
}

const privately = (bot: Person) => ({ 'pm-with': bot.email })

test('an answer that nests too deeply is a failure at the first attempt', async () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const { bot, calls } = await makeWebhook((_, response) =>
    response.end(`{"content":"x","widget_content":${nested}}`),
  )
  await sendPrivately(otto, [bot], 'hi')
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, privately(bot)), ['Failure! Invalid JSON in response'])
  assert.equal(calls().length, 1)
})

test('an answer with half a surrogate pair is the same in the event and in the message', async () => {
  const { bot } = await makeWebhook((_, response) => response.end('{"content":"half \\ud83d of it"}'))
  const queue = await otto.events.register({ event_types: ['message'] })
  await sendPrivately(otto, [bot], 'hi')
  await ended(bot)
  const said: string[] = []
  let last_event_id = queue.last_event_id
  while (said.length === 0) {
    const { events } = await otto.events.poll({ queue_id: queue.queue_id as string, last_event_id })
    for (const event of events) {
      last_event_id = event.id
      if (event.type === 'message' && event.message.sender_id === bot.user_id)
        said.push(event.message.content)
    }
  }
  assert.deepEqual(said, await saidBy(bot, otto, privately(bot)))
})

test('a message that is moved during the call gets the reply where it is then', async () => {
  const { bot, mention, held } = await makeSlowWebhook()
  const id = await sendToStream(otto, garden, 'before', mention)
  await eventually(async () => held.length === 1)
  await owner.messages.edit({ message_id: id, stream_id: meadow.stream_id, topic: 'after' })
  held[0]?.()
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic: 'before' }), [])
  assert.deepEqual(await saidBy(bot, otto, { stream: 'meadow', topic: 'after' }), ['At last.'])
})

test('a message that is deleted during the call gets no reply', async () => {
  const { bot, mention, held } = await makeSlowWebhook()
  const id = await sendToStream(otto, garden, 'deleted', mention)
  await eventually(async () => held.length === 1)
  await owner.messages.remove({ message_id: id })
  held[0]?.()
  await ended(bot)
  assert.deepEqual(await saidBy(bot, otto, { stream: 'garden', topic: 'deleted' }), [])
})

test('a bot may not change its reply in a private stream', async () => {
  const { bot, mention } = await makeWebhook({ content: 'Here.' })
  await sendToStream(otto, secret, 'tea', mention)
  await ended(bot)
  const reply = (await readMessages(otto.on('b'), { stream: 'secret' })).at(-1)
  assert.equal(reply?.sender_id, bot.user_id)
  await assert.rejects(bot.messages.edit({ message_id: reply?.id ?? 0, content: 'Changed.' } as never))
})

test('many slow bots of one person do not delay the bots of others', async () => {
  const slow: Awaited<ReturnType<typeof makeSlowWebhook>>[] = []
  for (let number = 0; number < 20; number++) slow.push(await makeSlowWebhook())
  // This URL is refused at once, because requests to the receiver wait for those of the slow bots.
  const quick = await makeBot(world, mona, 'quick', { bot_type: 3, payload_url: 'http://private.example/' })
  const countBegun = async () => {
    const rows = await world.database.query(
      'select from outgoing_webhook_call where bot_id = any($1) and attempts > 0',
      [slow.map(({ bot }) => bot.user_id)],
    )
    return rows.length
  }
  await sendToStream(otto, garden, 'many', slow.map(({ mention }) => mention).join(' '))
  await eventually(async () => (await countBegun()) >= 8)
  await sendPrivately(otto, [quick], 'hi')
  await ended(quick)
  assert.equal(await countBegun(), 8)

  await eventually(async () => {
    for (const { held } of slow) for (const answer of held) answer()
    return slow.every(({ held }) => held.length > 0)
  })
  for (const { bot } of slow) await ended(bot)
})

test('claiming calls does not read the calls that wait for earlier ones', async () => {
  const { bot, held } = await makeSlowWebhook()
  await sendPrivately(otto, [bot], 'hi')
  await eventually(async () => held.length > 0)
  await world.database.query(
    `insert into outgoing_webhook_call (organization_id, bot_id, message_id)
    select organization_id, bot_id, message_id + number
    from outgoing_webhook_call, generate_series(1, 30000) as number where bot_id = $1`,
    [bot.user_id],
  )
  const rowsRead = await world.nodes.a.app.db.transaction().execute(async (tx) => {
    await claimCalls(tx, 16)
    const { rows } = await sql<{ count: number }>`
      select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables
      where relname = 'outgoing_webhook_call'`.execute(tx)
    return rows[0]?.count
  })
  assert.ok(rowsRead !== undefined && rowsRead < 1_000, `${rowsRead} rows were read`)
  await world.database.query('delete from outgoing_webhook_call where bot_id = $1', [bot.user_id])
  held[0]?.()
})

test('an owner who got a bot meanwhile does not get the notice about the server before', async () => {
  const { bot } = await makeWebhook({ content: 'Fine.' })
  const organization_id = world.organization_id as OrganizationId
  const notice = { organization_id, bot_id: bot.user_id, message_id: 1 as MessageId }
  const { app } = world.nodes.a
  await notifyOwner.run(app, { ...notice, owner_id: mona.user_id, content: 'about another server' })
  await notifyOwner.run(app, { ...notice, owner_id: iris.user_id, content: 'about this server' })
  assert.deepEqual(await saidBy(bot, iris, privately(bot)), ['about this server'])
  assert.deepEqual(await saidBy(bot, mona, privately(bot)), [])
})
