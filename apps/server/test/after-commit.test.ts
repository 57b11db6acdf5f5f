import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { request, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

/** Makes every write to the table fail. */
const breakTable = (table: string) =>
  world.database.query(`
    create function refuse_${table}() returns trigger language plpgsql as $$
      begin raise exception 'the rows of ${table} are damaged'; end $$;
    create trigger refuse_${table} before insert or update on ${table} execute function refuse_${table}();`)

const warnings = () => world.log.entries().map(({ msg, err }) => `${msg}: ${(err as Error)?.message}`)

test('a message of a bot is sent once even if its owner cannot be notified', async () => {
  const bot = await world.bot('hook', iris, BotType.generic)
  await world.stream('empty')
  await world.owner.subscriptions.unsubscribe({ subscriptions: ['empty'] })
  await breakTable('owner_notice')

  const id = await sendToStream(bot, 'empty', 'x')

  const rows = await world.database.query<{ id: number }>(
    'select id::int from message where sender_id = $1',
    [bot.user_id],
  )
  assert.deepEqual(rows, [{ id }])
  assert.ok(warnings().some((warning) => /owner of a bot.*owner_notice are damaged/.test(warning)))
})

test('a refused message gets the same refusal even if the owner of the bot cannot be notified', async () => {
  const bot = await world.bot('other', iris, BotType.generic)

  await assert.rejects(bot.messages.send({ type: 'stream', to: 'nowhere', topic: 'x', content: 'y' }), {
    message: "Stream 'nowhere' does not exist",
  })
})

test('a change in several transactions succeeds even if its response cannot be saved for a retry', async () => {
  const { stream_id } = await world.stream('garden')
  await sendToStream(world.owner, 'garden', 'roses')
  await breakTable('idempotent_answer')

  const response = await request(world.nodes.a.url, {
    method: 'POST',
    path: `/api/v1/streams/${stream_id}/delete_topic`,
    form: { topic_name: 'roses' },
    credentials: world.owner,
    headers: { 'idempotency-key': 'delete-roses' },
  })

  assert.equal(response.status, 200, response.text)
  assert.ok(warnings().some((warning) => /idempotent_answer are damaged/.test(warning)))
})
