import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType, type MessageId, maxContentBytes } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { readMessage, sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

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

async function readSource(id: MessageId) {
  const { subject, content } = await readMessage(iris, id, { apply_markdown: false })
  return { subject, content }
}

test('overlong topics and texts of bots are truncated with a marker', async () => {
  for (const sender of [bot, hook]) {
    const id = await sendToStream(sender, 'garden', longTopic, longText)
    assert.deepEqual(await readSource(id), { subject: cutTopic, content: cutText })
  }
})

test('texts of bots up to the limits are not truncated', async () => {
  const fitting = { subject: '🌹'.repeat(60), content: 'x'.repeat(maxContentBytes) }
  const id = await sendToStream(bot, 'garden', fitting.subject, fitting.content)
  assert.deepEqual(await readSource(id), fitting)
})

test('a code block that is left open by truncation is closed before the marker', async () => {
  const id = await sendToStream(bot, 'garden', 'logs', `\`\`\`\n${'line\n'.repeat(3_000)}\`\`\``)
  const { content } = await readSource(id)
  assert.ok(content.endsWith(`\n\`\`\`${marker}`))
  assert.ok(Buffer.byteLength(content) <= maxContentBytes)
})

test('overlong edits by bots are truncated like their new messages', async () => {
  const id = await sendToStream(bot, 'garden', 'roses', 'Pruned.')
  await bot.messages.edit({ message_id: id, topic: longTopic, content: longText })
  assert.deepEqual(await readSource(id), { subject: cutTopic, content: cutText })
})

test('a preview of an overlong text is refused for people and truncated for bots', async () => {
  await assert.rejects(
    iris.messages.render({ content: longText }),
    refusal('content is too long (limit: 10000 bytes)'),
  )
  const { rendered } = await bot.messages.render({ content: longText })
  assert.equal(rendered, (await bot.messages.render({ content: cutText })).rendered)
})

test('overlong topics and texts of people are refused, also when editing', async () => {
  const id = await sendToStream(iris, 'garden', 'roses', 'Pruned.')
  const edit = (given: object) => iris.messages.edit({ message_id: id, ...given })
  const topic = refusal('topic is too long (limit: 60 characters)')
  const text = refusal('content is too long (limit: 10000 bytes)')
  await assert.rejects(sendToStream(iris, 'garden', longTopic, 'x'), topic)
  await assert.rejects(sendToStream(iris, 'garden', 'roses', longText), text)
  await assert.rejects(edit({ topic: longTopic }), topic)
  await assert.rejects(edit({ content: longText }), text)
})
