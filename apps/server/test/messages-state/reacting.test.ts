import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { expectSameReactions, type Person } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { react } from '@oxbow/testkit/calls/reactions'
import { expectSame, setScene } from '../streams-state/scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, mia, lara, gus, nora, robin, watchers } = scene
const kinds = {
  public: {},
  private: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true },
}
const remove = (by: Person, message_id: MessageId, emoji_name: string) =>
  by.messages.removeReaction({ message_id, emoji_name })

for (const [kind, options] of Object.entries(kinds)) {
  test(`reactions in a ${kind} stream are added and removed for everyone in their audience`, async () => {
    const stream = await scene.stream(`reactions ${kind}`, options)
    const ids = [await sendToStream(ada, stream, 'roses'), await sendToStream(mia, stream, 'roses')]
    const [first, second] = ids as [MessageId, MessageId]
    const present = { ada, mia, gus, robin }

    await expectSameReactions(world, present, ids, async () => {
      await react(mia, first, 'tada')
      await react(gus, first, 'congratulations')
      await react(robin, second, 'rocket')
      await remove(mia, first, 'tada')
      await react(mia, first, 'chat')
      await react(ada, second, 'rocket')
    })
    await expectSameReactions(world, present, ids, () =>
      Promise.all(
        [...ids, ...ids].map((id, index) => react(Object.values(present)[index] as Person, id, 'heart')),
      ),
    )

    const { robin: received } = await expectSameReactions(world, present, ids, () =>
      remove(ada, second, 'rocket'),
    )
    assert.equal(received?.length, 1)
  })
}

test('users of all roles see the same reactions in a conversation', async () => {
  const everyone = { owner, ada, mia, gus, robin }
  const id = await sendPrivately(mia, Object.values(everyone))
  await expectSameReactions(world, everyone, [id], async () => {
    for (const person of Object.values(everyone)) await react(person, id, 'tada')
    await remove(gus, id, 'tada')
  })
})

test('a user who reacted gets later reactions even without a subscription', async () => {
  const stream = await scene.stream('left behind')
  const id = await sendToStream(ada, stream, 'roses')
  await react(mia, id, 'tada')
  await react(nora, id, 'rocket')
  await mia.subscriptions.unsubscribe({ subscriptions: [stream.name] })

  await expectSameReactions(world, { ada, mia, nora }, [id], async () => {
    await react(ada, id, 'heart')
    await remove(nora, id, 'rocket')
    // This is the last event that mia gets, because removing her reaction ends her access.
    await remove(mia, id, 'tada')
  })
})

test('after reactions of several users, states updated by events equal fresh states', async () => {
  const stream = await scene.stream('quiet')
  const id = await sendToStream(ada, stream, 'roses')
  await expectSame(scene, async () => {
    await react(mia, id, 'tada')
    await react(lara, id, 'tada')
    await react(nora, id, 'rocket')
    await remove(mia, id, 'tada')
  })
  assert.ok(Object.keys(watchers).length > 5)
})
