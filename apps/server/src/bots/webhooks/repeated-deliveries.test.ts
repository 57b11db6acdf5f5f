import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { type NodeName, type Person, startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { deliver } from '@oxbow/testkit/calls/webhooks'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
await world.stream('garden', { members: [iris] })
const bot = await world.bot('hook', iris, BotType.incomingWebhook)
const other = await world.bot('other', iris, BotType.incomingWebhook)

const ping = { zen: 'Keep it simple.', hook: { type: 'Repository' }, repository: { name: 'beds' } }

async function pingAs(sender: Person, id: string | undefined, topic: string, node: NodeName = 'a') {
  const { status } = await deliver(world, {
    integration: 'github',
    node,
    bot: sender,
    json: ping,
    query: { stream: 'garden', topic },
    headers: { 'x-github-event': 'ping', ...(id && { 'x-github-delivery': id }) },
  })
  assert.equal(status, 200)
}

const count = async (topic: string) =>
  (await readMessages(iris, { stream: 'garden' })).filter((message) => message.topic === topic).length

test('a delivery that is repeated on any node sends one message', async () => {
  const id = randomUUID()
  await pingAs(bot, id, 'again')
  await pingAs(bot, id, 'again', 'b')
  assert.equal(await count('again'), 1)
  await pingAs(bot, randomUUID(), 'again')
  assert.equal(await count('again'), 2)
})

test('twenty concurrent equal deliveries on two nodes send one message', async () => {
  const id = randomUUID()
  const nodes = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'a' : 'b') as NodeName)
  await Promise.all(nodes.map((node) => pingAs(bot, id, 'at once', node)))
  assert.equal(await count('at once'), 1)
})

test('deliveries with the same id from two bots send two messages', async () => {
  const id = randomUUID()
  await pingAs(bot, id, 'two bots')
  await pingAs(other, id, 'two bots')
  assert.equal(await count('two bots'), 2)
})

test('deliveries with the same id to two destinations or from two webhooks send two messages', async () => {
  const id = randomUUID()
  await pingAs(bot, id, 'here')
  await pingAs(bot, id, 'there')
  assert.deepEqual([await count('here'), await count('there')], [1, 1])
  const delivery = { integration: 'github', bot, json: ping, query: { stream: 'garden', topic: 'two hooks' } }
  for (const hook of ['1', '2', '1', '2'])
    await deliver(world, {
      ...delivery,
      headers: { 'x-github-event': 'ping', 'x-github-delivery': id, 'x-github-hook-id': hook },
    })
  assert.equal(await count('two hooks'), 2)
})

test('deliveries without an id are never treated as repeated', async () => {
  await pingAs(bot, undefined, 'no id')
  await pingAs(bot, undefined, 'no id')
  assert.equal(await count('no id'), 2)
})

test('a delivery id may have any length and any characters', async () => {
  for (const id of ['x'.repeat(5_000), '🌹'.normalize('NFC') && 'a b\tc', "'; drop table message; --"]) {
    await pingAs(bot, id, 'odd')
    await pingAs(bot, id, 'odd')
  }
  assert.equal(await count('odd'), 3)
})

test('a refused delivery can be repeated, and then its message is sent', async () => {
  const id = randomUUID()
  const delivery = {
    integration: 'github',
    bot,
    json: ping,
    headers: { 'x-github-event': 'ping', 'x-github-delivery': id },
  }
  assert.equal((await deliver(world, { ...delivery, query: { stream: 'nowhere' } })).status, 400)
  assert.equal(
    (await deliver(world, { ...delivery, query: { stream: 'garden', topic: 'late' } })).status,
    200,
  )
  assert.equal(await count('late'), 1)
})
