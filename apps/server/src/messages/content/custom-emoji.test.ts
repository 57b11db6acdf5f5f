import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { eventually, startWorld } from '@oxbow/testkit'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { readMessage, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { sql } from 'kysely'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris] = await world.people('iris')
const garden = await world.stream('garden', { members: [owner, iris] })
await setOrganizationRules(world, 'message_content_edit_limit_seconds = 0')

const readContent = async (id: MessageId) => (await readMessage(iris.on('b'), id)).content
const image = (id: string, name: string) =>
  `<img alt=":${name}:" class="emoji" src="/user_avatars/${world.organization_id}/emoji/images/${id}.png" title="${name}">`

test('a custom emoji takes precedence over a Unicode emoji of the same name', async () => {
  const owl = await addEmoji(iris, 'owl')
  await world.settled()
  const heart = await addEmoji(iris, 'heart')
  await world.settled()

  const id = await sendToStream(iris, garden, 'birds', 'x:owl:y :heart: :nothing: `:owl:`')
  const { rendered } = await owner.on('b').messages.render({ content: ':owl:' })

  assert.equal(
    await readContent(id),
    `<p>x${image(owl, 'owl')}y ${image(heart, 'heart')} :nothing: <code>:owl:</code></p>`,
  )
  assert.equal(rendered, `<p>${image(owl, 'owl')}</p>`)
})

test('a deactivated emoji is plain text in new messages and stays an image in old ones', async () => {
  const wren = await addEmoji(iris, 'wren')
  await world.settled()
  const old = await sendToStream(iris, garden, 'birds', ':wren:')

  await owner.on('b').emoji.deactivate({ emoji_name: 'wren' })
  await world.settled()
  const later = await sendToStream(iris, garden, 'birds', ':wren:')

  assert.equal(await readContent(old), `<p>${image(wren, 'wren')}</p>`)
  assert.equal(await readContent(later), '<p>:wren:</p>')
  await iris.messages.edit({ message_id: old, content: 'again :wren:' })
  assert.equal(await readContent(old), '<p>again :wren:</p>')

  const another = await addEmoji(owner, 'wren')
  await world.settled()
  assert.equal(
    await readContent(await sendToStream(iris, garden, 'birds', ':wren:')),
    `<p>${image(another, 'wren')}</p>`,
  )
})

test('the author of an emoji change sees it at once on the same node', async () => {
  const id = await addEmoji(iris, 'crow')
  const { rendered } = await iris.messages.render({ content: ':crow:' })
  assert.equal(rendered, `<p>${image(id, 'crow')}</p>`)
  await iris.emoji.deactivate({ emoji_name: 'crow' })
  assert.equal((await iris.messages.render({ content: ':crow:' })).rendered, '<p>:crow:</p>')
})

test('emoji in texts are rendered from the cache without a query', async () => {
  const id = await addEmoji(iris, 'heron')
  // The record of the change empties the cache again when it arrives.
  await world.settled()
  await iris.messages.render({ content: ':heron:' })
  const { db } = world.nodes.a.app
  const before = await readContent(await sendToStream(iris, garden, 'birds', ':heron:'))

  await sql`alter table custom_emoji rename to hidden_emoji`.execute(db)
  // A node that briefly lost its connection queries the renamed table and fails, so the test
  // retries.
  const sent = await eventually(() =>
    sendToStream(iris, garden, 'birds', ':heron: again').catch(() => undefined),
  )
  await sql`alter table hidden_emoji rename to custom_emoji`.execute(db)

  assert.equal(before, `<p>${image(id, 'heron')}</p>`)
  assert.equal(await readContent(sent), `<p>${image(id, 'heron')} again</p>`)
})
