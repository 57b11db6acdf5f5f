import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { react, readReactions } from '@oxbow/testkit/calls/reactions'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
const custom = { reaction_type: 'realm_emoji' }

test('reactions by name prefer custom emoji over Unicode emoji', async () => {
  const id = await sendToStream(iris, garden, 'birds')
  const own = { owl: await addEmoji(iris, 'owl'), heart: await addEmoji(iris, 'heart') }

  for (const name of ['owl', 'heart', 'tada']) await react(otto, id, name)

  assert.deepEqual(
    (await readReactions(iris, id)).map((reaction) => [
      reaction.emoji_name,
      reaction.emoji_code,
      reaction.reaction_type,
    ]),
    [
      ['owl', own.owl, 'realm_emoji'],
      ['heart', own.heart, 'realm_emoji'],
      ['tada', '1f389', 'unicode_emoji'],
    ],
  )
  // A request can still select the Unicode emoji by its type.
  const unicode = { emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' }
  await otto.messages.addReaction({ message_id: id, ...unicode })
  assert.equal((await readReactions(iris, id)).length, 4)
})

test('reactions with unknown or deactivated custom emoji are refused', async () => {
  const message_id = await sendToStream(iris, garden, 'birds')
  const { owner: foreigner } = await world.addOrganization('hill')
  const foreign = await addEmoji(foreigner, 'hill_goat')
  const emoji_code = await addEmoji(iris, 'wren')
  const add = (params: object) =>
    otto.messages.addReaction({ message_id, emoji_name: 'wren', ...custom, ...params })

  const invalid = refusal('Invalid custom emoji.')
  for (const code of ['0', '-1', `0${emoji_code}`, `${emoji_code} `, '9'.repeat(30), 'x', '', '1.0'])
    await assert.rejects(add({ emoji_code: code }), invalid, code)
  await assert.rejects(add({ emoji_name: 'hill_goat', emoji_code: foreign }), invalid)
  const noGoat = refusal("Emoji 'hill_goat' does not exist")
  await assert.rejects(otto.messages.addReaction({ message_id, emoji_name: 'hill_goat' }), noGoat)
  const otherName = { emoji_name: 'owl', emoji_code }
  await assert.rejects(add(otherName), refusal('Invalid custom emoji name.'))
  await iris.emoji.deactivate({ emoji_name: 'wren' })
  await assert.rejects(add(otherName), refusal('Invalid custom emoji name.'))
  await assert.rejects(add({ emoji_code }), refusal('This custom emoji has been deactivated.'))
  await assert.rejects(react(otto, message_id, 'wren'), refusal("Emoji 'wren' does not exist"))
})

test('existing reactions keep a deactivated emoji, and other users may add or remove the same reaction', async () => {
  const message_id = await sendToStream(iris, garden, 'birds')
  const emoji_code = await addEmoji(iris, 'crow')
  await react(otto, message_id, 'crow')
  await iris.emoji.deactivate({ emoji_name: 'crow' })

  await iris.messages.addReaction({ message_id, emoji_name: 'crow', emoji_code, ...custom })
  assert.equal((await readReactions(otto, message_id)).length, 2)
  const byName = otto.messages.removeReaction({ message_id, emoji_name: 'crow', ...custom })
  await assert.rejects(byName, refusal("Emoji 'crow' does not exist"))
  await otto.messages.removeReaction({ message_id, emoji_code, ...custom })
  await iris.messages.removeReaction({ message_id, emoji_code, ...custom })
  assert.deepEqual(await readReactions(otto, message_id), [])
})

test('removing a custom emoji reaction requires its reaction_type', async () => {
  const message_id = await sendToStream(iris, garden, 'birds')
  await addEmoji(iris, 'rook')
  await react(otto, message_id, 'rook')

  const byName = otto.messages.removeReaction({ message_id, emoji_name: 'rook' })
  await assert.rejects(byName, refusal("Reaction doesn't exist."))
  await otto.messages.removeReaction({ message_id, emoji_name: 'rook', ...custom })
})
