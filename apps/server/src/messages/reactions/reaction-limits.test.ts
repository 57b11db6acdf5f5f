import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type MessageId, maxOwnReactions, maxReactionBytes } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { addReactions } from '@oxbow/testkit/calls/large-messages'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { react, readReactions } from '@oxbow/testkit/calls/reactions'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })

const tooManyOwn = refusal('You can add at most 100 reactions to one message. Remove another one first.')
const tooMany = refusal('This message has too many reactions already. Reply to it instead.')
const emoji = ['tada', 'smile', 'heart', 'rocket', 'eyes']

async function countOf(id: MessageId, user_id: number): Promise<number> {
  return (await readReactions(iris, id)).filter((reaction) => reaction.user_id === user_id).length
}

test('one person can add a limited number of reactions to a message, by concurrent requests too', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  await addReactions(world, [id], maxOwnReactions - 1)

  const added = await Promise.allSettled(
    emoji.map((name, index) =>
      iris.on(index % 2 === 0 ? 'a' : 'b').messages.addReaction({ message_id: id, emoji_name: name }),
    ),
  )

  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await countOf(id, iris.user_id), maxOwnReactions)
  const refused = added.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  for (const error of refused) assert.deepEqual(error.body, tooManyOwn.body)
  const own = emoji[added.findIndex(({ status }) => status === 'fulfilled')] as string
  await assert.rejects(react(iris, id, own), refusal('Reaction already exists.'))
  await react(otto, id, 'tada')
})

test('after removing a reaction, a person can add another one', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  await react(iris, id, 'heart')
  await addReactions(world, [id], maxOwnReactions - 1)
  await assert.rejects(react(iris, id, 'eyes'), tooManyOwn)

  await iris.messages.removeReaction({ message_id: id, emoji_name: 'heart' })
  await react(iris, id, 'eyes')

  assert.equal(await countOf(id, iris.user_id), maxOwnReactions)
})

test('the reactions of all people to a message have a limited size, and can still be removed', async () => {
  const id = await sendToStream(otto, garden, 'roses')
  await react(iris, id, 'heart')
  await addReactions(world, [id], 20_000)

  await assert.rejects(react(iris, id, 'eyes'), tooMany)
  const shown = await readReactions(iris, id)
  const bytes = Buffer.byteLength(JSON.stringify(shown))
  assert.ok(bytes > maxReactionBytes / 2 && bytes < maxReactionBytes * 1.1, `${bytes} bytes`)
  assert.equal(shown[0]?.user_id, iris.user_id)
  await iris.messages.removeReaction({ message_id: id, emoji_name: 'heart' })
  assert.equal(await countOf(id, iris.user_id), 0)
})
