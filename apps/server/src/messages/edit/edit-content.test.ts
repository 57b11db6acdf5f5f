import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageFlag, MessageId } from '@oxbow/contract'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessages, sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const garden = await world.stream('garden', { members: [iris, otto] })

const aboutEdits = { event_types: ['update_message'] }

/**
 * Returns the flags of the message that the person gets, or undefined if the message is not found.
 */
async function flagsOf(person: Person, id: MessageId): Promise<MessageFlag[] | undefined> {
  const { messages } = await person.messages.list({ anchor: String(id), num_before: 0, num_after: 0 })
  return messages.find((message) => message.id === id)?.flags
}

test('content edited by the sender is shown to all readers', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'Prunde.')

  await iris.messages.edit({ message_id, content: '  **Pruned.** \n' })

  const message = (await readMessages(otto, { stream: garden.name })).find(({ id }) => id === message_id)
  assert.equal(message?.content, '**Pruned.**')
  assert.ok(message?.last_edit_timestamp)
  assert.deepEqual(message?.edit_history, [
    {
      user_id: iris.user_id,
      timestamp: message?.last_edit_timestamp,
      prev_content: 'Prunde.',
      prev_rendered_content: '<p>Prunde.</p>',
      prev_rendered_content_version: 1,
    },
  ])
})

test('edited content of the maximum size is kept, and one byte more is refused', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')

  for (const character of ['a', 'é', '𐍈']) {
    const size = Buffer.byteLength(character)
    const content = character.repeat(10_000 / size)
    await iris.messages.edit({ message_id, content })
    assert.equal((await iris.messages.getRaw({ message_id })).raw_content, content)
    await assert.rejects(
      iris.messages.edit({ message_id, content: `${content}a` }),
      refusal('content is too long (limit: 10000 bytes)'),
    )
  }
})

test('an edit whose HTML would be too long is refused', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'As it was')

  await assert.rejects(
    iris.messages.edit({ message_id, content: ':tada: '.repeat(1_400) }),
    refusal('Unable to render message'),
  )
  assert.equal((await iris.messages.getRaw({ message_id })).raw_content, 'As it was')
})

test('subscribers get old and new content as HTML and Markdown in the edit event', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'Old')
  for (const apply_markdown of [true, false]) {
    const edit = () => iris.messages.edit({ message_id, content: '/me is *new*' })

    const {
      otto: events,
      iris: own,
      nora: none,
    } = await collectEvents(world, { otto, iris, nora }, edit, {
      ...aboutEdits,
      apply_markdown,
    })

    const [event] = events ?? []
    assert.ok(event?.type === 'update_message')
    const { id, edit_timestamp, orig_content, orig_rendered_content, ...rest } = event
    assert.ok(Math.abs((edit_timestamp ?? 0) - Date.now() / 1_000) < 60)
    assert.equal(orig_rendered_content, `<p>${apply_markdown ? 'Old' : '/me is <em>new</em>'}</p>`)
    assert.equal(orig_content, apply_markdown ? 'Old' : '/me is *new*')
    assert.deepEqual(rest, {
      type: 'update_message',
      user_id: iris.user_id,
      message_id,
      message_ids: [message_id],
      stream_name: 'garden',
      prev_rendered_content_version: 1,
      content: '/me is *new*',
      rendered_content: '<p>/me is <em>new</em></p>',
      is_me_message: true,
      flags: [],
    })
    assert.deepEqual(own, events)
    assert.deepEqual(none, [])
  }
})

test('an edit of a private message reaches exactly its conversation', async () => {
  const message_id = await sendPrivately(iris, [otto], 'Psst')

  const edit = () => iris.messages.edit({ message_id, content: 'Hush', topic: 'ignored' })
  const events = await collectEvents(world, { otto, iris, nora }, edit, aboutEdits)

  const [event] = events.otto ?? []
  assert.ok(event?.type === 'update_message')
  assert.deepEqual([event.orig_content, event.content, event.flags], ['Psst', 'Hush', []])
  assert.ok(!('stream_name' in event) && !('subject' in event) && !('orig_subject' in event))
  assert.deepEqual([events.iris?.length, events.nora?.length], [1, 0])
  assert.equal((await otto.messages.getRaw({ message_id })).raw_content, 'Hush')
  await assert.rejects(
    otto.messages.edit({ message_id, content: 'x' }),
    refusal("You don't have permission to edit this message"),
  )
})

test('an edit updates the mention and alert flags of users who have the message', async () => {
  await otto.alertWords.add({ alert_words: ['aphids'] })
  const message_id = await sendToStream(iris, garden, 'roses', 'Look')
  const edit = (content: string) => iris.messages.edit({ message_id, content })

  await edit('@**Otto Gardener** and @**Nora Gardener**')
  assert.deepEqual(await flagsOf(otto, message_id), ['mentioned'])
  await edit('@**all** aphids!')
  assert.deepEqual(await flagsOf(otto, message_id), ['wildcard_mentioned', 'has_alert_word'])
  await edit('@**Otto Gardener**: aphids!')
  assert.deepEqual(await flagsOf(otto, message_id), ['mentioned', 'has_alert_word'])
  await edit('Nothing to see')
  assert.deepEqual(await flagsOf(otto, message_id), [])
  const rows = await world.database.query('select from user_message where message_id = $1', [message_id])
  assert.equal(rows.length, 0)
})

test('an edit that mentions a user who is not subscribed does not notify that user', async () => {
  const bot = await world.bot('robin', iris)
  const message_id = await sendToStream(iris, garden, 'roses', 'Look')

  await iris.messages.edit({ message_id, content: '@**Nora Gardener** @**robin bot**' })

  const rows = await world.database.query('select from user_message where message_id = $1', [message_id])
  assert.deepEqual(rows, [])
  const { messages } = await bot.messages.list({ anchor: 'newest', num_before: 5, num_after: 0 })
  assert.deepEqual(messages, [])
})

test('a bot that was mentioned keeps access to the message and gets the event when an edit removes the mention', async () => {
  const bot = await world.bot('wren', iris)
  const message_id = await sendToStream(iris, garden, 'roses', '@**wren bot** come')
  assert.deepEqual(await flagsOf(bot, message_id), ['read', 'mentioned'])
  const queue = await openQueue(bot, aboutEdits)

  await iris.messages.edit({ message_id, content: 'Stay' })

  const [event] = await queue.take(1, 'b')
  assert.ok(event?.type === 'update_message')
  assert.deepEqual([event.content, event.flags], ['Stay', ['read']])
  assert.deepEqual(await flagsOf(bot, message_id), ['read'])
})

test('a user who starred a message gets its edit events after leaving the stream', async () => {
  const shed = await world.stream('shed', { members: [iris, otto, nora] })
  const message_id = await sendToStream(iris, shed, 'tools', 'Spade')
  for (const [flag, person] of [
    ['starred', otto],
    ['collapsed', nora],
  ] as const)
    await person.messages.changeFlags({ messages: [message_id], op: 'add', flag })
  for (const person of [otto, nora]) await person.subscriptions.unsubscribe({ subscriptions: ['shed'] })

  const edit = () => iris.messages.edit({ message_id, content: 'Rake' })
  const events = await collectEvents(world, { otto, nora }, edit, aboutEdits)

  const [event] = events.otto ?? []
  assert.deepEqual(event?.type === 'update_message' && event.flags, ['read', 'starred'])
  assert.deepEqual(events.nora, [])
})

test("an edit event contains each user's flags at the time of delivery", async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  const queue = await openQueue(otto, aboutEdits)
  await iris.messages.edit({ message_id, content: '@**Otto Gardener**' })
  await otto.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'read' })
  await otto.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'starred' })

  const [event] = await queue.take(1, 'b')

  assert.deepEqual(event?.type === 'update_message' && event.flags, ['read', 'starred', 'mentioned'])
})

test('an all_public_streams queue gets edits of public messages that its user did not receive, flagged as read', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  const hidden = await world.stream('cellar', { members: [iris], invite_only: true })
  const secret = await sendToStream(iris, hidden, 'plans')
  const edit = async () => {
    await iris.messages.edit({ message_id: secret, content: 'Hush' })
    await iris.messages.edit({ message_id, content: 'Open' })
  }

  const events = await collectEvents(world, { nora }, edit, { ...aboutEdits, all_public_streams: true })

  assert.deepEqual(
    events.nora?.map((event) => event.type === 'update_message' && [event.content, event.flags]),
    [['Open', ['read']]],
  )
})

test('concurrent edits are applied one after another and all recorded', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'version 0')
  const versions = Array.from({ length: 8 }, (_, index) => `version ${index + 1}`)

  await Promise.all(
    versions.map((content, index) =>
      iris.on(index % 2 === 0 ? 'a' : 'b').messages.edit({ message_id, content }),
    ),
  )

  const { message_history } = await iris.messages.history({ message_id })
  assert.deepEqual(message_history.map(({ content }) => content).sort(), ['version 0', ...versions])
  const chained = message_history.slice(1).map(({ prev_content }) => prev_content)
  assert.deepEqual(
    chained,
    message_history.slice(0, -1).map(({ content }) => content),
  )
})
