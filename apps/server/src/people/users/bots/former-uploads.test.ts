import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { statusOf, upload } from '@oxbow/testkit/calls/uploads'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [mia, rosa] = await world.people('mia', 'rosa')

/** Gives the bot to a person, and returns it with its new key. */
async function give(bot: Person, to: Person): Promise<Person> {
  await owner.bots.update({ bot_id: bot.user_id, bot_owner_id: to.user_id })
  const { bots } = await to.bots.list()
  const api_key = bots.find(({ username }) => username === bot.email)?.api_key ?? assert.fail()
  const client = createClient({ url: world.nodes.a.url, credentials: { email: bot.email, api_key } })
  return { ...bot, ...client, api_key }
}

test('a bot with a new owner neither reads nor lists nor deletes what it uploaded before, unless a message shows it', async () => {
  const secret = await world.stream('secret', { members: [mia] })
  const open = await world.stream('open', { members: [mia, rosa] })
  const hidden = await world.stream('hidden', { members: [mia], invite_only: true })
  const bot = await world.bot('gardener', mia)
  const [plan, photo, spare] = [
    await upload(bot, 'plan.txt'),
    await upload(bot, 'photo.txt'),
    await upload(bot, 'spare.txt'),
  ]
  await sendToStream(bot, hidden, 'plans', `[plan](${plan})`)
  await sendToStream(bot, open, 'photos', `[photo](${photo})`)
  const ids = (await bot.uploads.list()).attachments.map(({ id }) => id)
  assert.equal(ids.length, 3)

  const given = await give(bot, rosa)

  assert.deepEqual((await given.uploads.list()).attachments, [])
  assert.deepEqual(
    [
      await statusOf(world, given, plan),
      await statusOf(world, given, photo),
      await statusOf(world, given, spare),
    ],
    [403, 200, 403],
  )
  for (const attachment_id of ids)
    await assert.rejects(given.uploads.remove({ attachment_id }), { errorName: 'INVALID_ATTACHMENT' })
  // A link to the file in a message of the bot would otherwise show the file to everyone who gets the message.
  await sendToStream(given, secret, 'plans', `[plan](${plan}) [spare](${spare})`)
  assert.deepEqual([await statusOf(world, rosa, plan), await statusOf(world, rosa, spare)], [403, 403])
  assert.equal(await statusOf(world, mia, plan), 200, 'who may read the message may read the file as before')
})

test('a bot has the files that it uploads for its new owner, and gets no events about earlier ones', async () => {
  const open = await world.stream('shared', { members: [mia, rosa] })
  const bot = await world.bot('painter', mia)
  const earlier = await upload(bot, 'earlier.txt')
  const given = await give(bot, rosa)
  const { queue_id } = await given.events.register({ event_types: ['attachment'] })

  await sendToStream(given, open, 'files', `[earlier](${earlier})`)
  const later = await upload(given, 'later.txt')
  await sendToStream(given, open, 'files', `[later](${later})`)

  const { attachments } = await given.uploads.list()
  assert.deepEqual(
    attachments.map(({ name, messages }) => [name, messages.length]),
    [['later.txt', 1]],
  )
  const { events } = await given.events.poll({ queue_id, last_event_id: -1 })
  for (const event of events)
    assert.equal(event.type === 'attachment' && event.attachment.id, attachments[0]?.id)
})
