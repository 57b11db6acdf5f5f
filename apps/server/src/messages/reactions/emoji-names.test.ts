import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { readReactions } from '@oxbow/testkit/calls/reactions'
import sharp from 'sharp'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })

const unicode = { reaction_type: 'unicode_emoji' }

test('a reaction is stored under a valid name of its code, whatever name the client sends', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  for (const [emoji_code, emojiName, stored] of [
    ['1f389', 'tada', 'tada'],
    ['1f680', 'rocket_ship', 'rocket'],
    ['1f44d', 'like', 'like'],
    ['1f642', 'smile', 'slight_smile'],
    ['1f434', 'horse', 'pony'],
    ['1f997', 'cricket', 'cricket_insect'],
  ] as const) {
    await otto.messages.addReaction({ message_id, emoji_name: emojiName, emoji_code, ...unicode })
    const last = (await readReactions(iris, message_id)).at(-1)
    assert.deepEqual([last?.emoji_code, last?.emoji_name], [emoji_code, stored])
    await otto.messages.removeReaction({ message_id, emoji_name: stored })
  }
})

test('the image of :chat: is served at its rendered URL', async () => {
  const { rendered } = await iris.messages.render({ content: ':chat:' })
  const path = /src="([^"]+)"/.exec(rendered)?.[1] ?? ''

  const response = await fetch(new URL(path, world.nodes.b.url))

  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'image/png')
  const picture = sharp(await response.arrayBuffer())
  const { width, height, hasAlpha } = await picture.metadata()
  assert.deepEqual({ width, height, hasAlpha }, { width: 64, height: 64, hasAlpha: true })
  const { channels } = await picture.stats()
  assert.ok(
    channels.every(({ stdev }) => stdev > 10),
    'the picture shows something',
  )
})
