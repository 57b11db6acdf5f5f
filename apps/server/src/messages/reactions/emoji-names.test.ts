import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findEmojiByCode, findEmojiCode } from '@oxbow/markdown'
import { startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { react, readReactions } from '@oxbow/testkit/calls/reactions'
import sharp from 'sharp'
import { listMigrations } from '../../platform/database/list-migrations.ts'

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

test('the migration gives stored reactions a valid name and keeps their emoji codes', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  await react(otto, message_id, 'tada')
  const migration = listMigrations().find(({ name }) => name === '0027_rename_reactions')
  const renamed = [...(migration?.sql.matchAll(/\('([0-9a-f-]+)', '(\w+)', '(\w+)'\)/g) ?? [])]
  assert.equal(renamed.length, 40)
  const [{ organization_id } = { organization_id: 0 }] = await world.database.query<{
    organization_id: number
  }>('select organization_id from reaction where message_id = $1', [message_id])
  for (const [, code, former] of renamed)
    await world.database.query(
      `insert into reaction (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
       values ($1, $2, $3, 'unicode_emoji', $4, $5)`,
      [organization_id, message_id, otto.user_id, code, former],
    )

  await world.database.query(migration?.sql ?? '')

  const [first, ...others] = await readReactions(iris, message_id)
  assert.equal(first?.emoji_name, 'tada')
  assert.deepEqual(
    others.map(({ emoji_code, emoji_name }) => [emoji_code, emoji_name]),
    renamed.map(([, code, , name]) => [code, name]),
  )
  for (const [, code = '', former = '', name] of renamed) {
    assert.equal(findEmojiByCode(code)?.name, name)
    assert.notEqual(findEmojiCode(former), code)
    await otto.messages.removeReaction({ message_id, emoji_name: name })
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
