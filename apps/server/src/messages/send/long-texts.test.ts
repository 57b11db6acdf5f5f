import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType, type FetchedMessage, type MessageId, maxContentBytes } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { refusal } from '../../../test/refusal.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
const bot = await world.bot('alerts', iris)
const hook = await world.bot('hook', iris, BotType.incomingWebhook)
await world.stream('garden', { members: [iris, bot, hook] })

const marker = '\n[message truncated]'
const longTopic = '🌹'.repeat(61)
const cutTopic = `${'🌹'.repeat(57)}...`
const longText = 'ä'.repeat(maxContentBytes / 2 + 1)
const cutText = `${'ä'.repeat((maxContentBytes - marker.length) / 2)}${marker}`

const say = (sender: Person, topic: string, content: string) =>
  sender.messages.send({ type: 'stream', to: 'garden', topic, content })

async function read(id: MessageId) {
  const { messages } = await iris.messages.list({
    anchor: String(id),
    num_before: 0,
    num_after: 0,
    apply_markdown: false,
  })
  const { subject, content } = messages[0] as FetchedMessage
  return { subject, content }
}

test('too long topics and texts of bots are cut with a marker', async () => {
  for (const sender of [bot, hook]) {
    const { id } = await say(sender, longTopic, longText)
    assert.deepEqual(await read(id), { subject: cutTopic, content: cutText })
  }
})

test('texts of bots up to the limits are kept as they are', async () => {
  const fitting = { subject: '🌹'.repeat(60), content: 'x'.repeat(maxContentBytes) }
  const { id } = await say(bot, fitting.subject, fitting.content)
  assert.deepEqual(await read(id), fitting)
})

test('a code block that the cut leaves open is closed before the marker', async () => {
  const { id } = await say(bot, 'logs', `\`\`\`\n${'line\n'.repeat(3_000)}\`\`\``)
  const { content } = await read(id)
  assert.ok(content.endsWith(`\n\`\`\`${marker}`))
  assert.ok(Buffer.byteLength(content) <= maxContentBytes)
})

test('edits of bots are cut in the same way', async () => {
  const { id } = await say(bot, 'roses', 'Pruned.')
  await bot.messages.edit({ message_id: id, topic: longTopic, content: longText })
  assert.deepEqual(await read(id), { subject: cutTopic, content: cutText })
})

test('too long topics and texts of people are refused, also when editing', async () => {
  const { id } = await say(iris, 'roses', 'Pruned.')
  const edit = (given: object) => iris.messages.edit({ message_id: id, ...given })
  const topic = refusal('topic is too long (limit: 60 characters)')
  const text = refusal('content is too long (limit: 10000 bytes)')
  await assert.rejects(say(iris, longTopic, 'x'), topic)
  await assert.rejects(say(iris, 'roses', longText), text)
  await assert.rejects(edit({ topic: longTopic }), topic)
  await assert.rejects(edit({ content: longText }), text)
})
