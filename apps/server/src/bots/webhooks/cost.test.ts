import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { eventually, startWorld } from '@oxbow/testkit'
import { article, deliver } from '@oxbow/testkit/calls/webhooks'
import pg from 'pg'

/** Matches the statements of a delivery, but not those of jobs and the event log. */
const concerns =
  /send_message|send_preconditions|user_account|bot_service|from "stream"|owner_notice|webhook_failure/
let executed: string[] = []
const { query } = pg.Client.prototype
// Replaced before the first connection, because each connection keeps a reference to the function.
pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
  const [first] = args
  const text = typeof first === 'string' ? first : (first as { text?: string }).text
  if (text && concerns.test(text)) executed.push(text.trim())
  return (query as (...all: unknown[]) => unknown).apply(this, args)
} as typeof query

const world = await startWorld({ ownServer: true })
after(async () => {
  pg.Client.prototype.query = query
  await world[Symbol.asyncDispose]()
})
const iris = await world.person('iris')
const { stream_id } = await world.stream('garden', { members: [iris] })
const bot = await world.bot('hook', iris, BotType.incomingWebhook)
const signed = await world.bot('signed', iris, BotType.incomingWebhook)
await iris.bots.update({ bot_id: signed.user_id, config_data: { webhook_secret: 'rosebud' } })
await world.settled()

const ping = JSON.stringify({ zen: 'x', hook: { type: 'Repository' }, repository: { name: 'beds' } })
const signature = `sha256=${createHmac('sha256', 'rosebud').update(ping).digest('hex')}`

const kinds: Record<string, (index: number) => Parameters<typeof deliver>[1]> = {
  'to a stream by its name': () => ({ json: article, query: { stream: 'garden' } }),
  'to a stream by its id': () => ({ json: article, query: { stream: String(stream_id) } }),
  'to the owner': () => ({ json: article }),
  'that is signed and has an id': (index) => ({
    bot: signed,
    integration: 'github',
    body: ping,
    query: { stream: 'garden' },
    headers: {
      'x-github-event': 'ping',
      'x-github-delivery': `delivery ${index}`,
      'x-hub-signature-256': signature,
    },
  }),
}

for (const [kind, delivery] of Object.entries(kinds)) {
  test(`a delivery ${kind} runs only the statement that sends the message`, async () => {
    const send = async (index: number) => {
      const { status, body } = await deliver(world, { bot, ...delivery(index) })
      assert.equal(status, 200, JSON.stringify(body))
    }
    let index = 0
    // Caches are used only while the node has a lease, which it may briefly lose on a busy machine.
    const statements = await eventually(async () => {
      executed = []
      await send(index++)
      return executed.length === 1 && executed
    })

    assert.match(statements[0] ?? '', /^select \* from\s+send_message/)
  })
}
