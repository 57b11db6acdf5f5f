import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { expectSame, expectSameForAll, setScene } from '../streams-state/scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, mia, lara, nora, gus, gil, robin } = scene
const nameOf = async (person: typeof mia) => (await person.users.me()).full_name

for (const [kind, options] of Object.entries({
  public: {},
  private: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true },
})) {
  test(`the first messages of a ${kind} stream are sent`, async () => {
    const stream = await scene.stream(`first ${kind}`, options)
    const received = await expectSameForAll(scene, async () => {
      await sendToStream(ada, stream, 'roses')
      await sendToStream(gus, stream, 'Roses')
      await sendToStream(robin, stream, 'tulips')
    })
    assert.ok(received.mia?.some(({ type }) => type === 'message'))
    assert.ok(!received.nora?.some(({ type }) => type === 'message'))
  })
}

test('further messages are sent, also by a user who is not subscribed', async () => {
  const stream = await scene.stream('garden')
  await sendToStream(ada, stream, 'roses')
  await expectSame(scene, async () => {
    await sendToStream(nora, stream, 'roses')
    await sendToStream(lara, stream, 'weeds')
    for (let index = 0; index < 30; index++) await sendToStream(mia, stream, `topic ${index % 7}`, `${index}`)
  })
})

test('private messages are sent to one user, to oneself, to several, and by a bot', async () => {
  await expectSame(scene, async () => {
    await sendPrivately(mia, [lara])
    await sendPrivately(lara, [mia])
    await sendPrivately(mia, [mia])
    await sendPrivately(mia, [lara, nora])
    await sendPrivately(robin, [mia, owner, gus])
    await sendPrivately(gil, [gus, mia, lara])
    await sendPrivately(nora, [mia, lara])
  })
})

test('after mentions in muted and unmuted topics, a state updated by events equals a fresh state', async () => {
  const stream = await scene.stream('square')
  const quiet = await scene.stream('quiet')
  await mia.subscriptions.muteTopic({ stream: 'square', topic: 'Weather', op: 'add' })
  await gus.subscriptions.setProperties({
    subscription_data: [{ stream_id: quiet.stream_id, property: 'is_muted', value: true }],
  })
  const [first, second] = [await nameOf(mia), await nameOf(gus)]
  await expectSame(scene, async () => {
    for (const place of [stream, quiet]) {
      for (const topic of ['weather', 'news']) {
        await sendToStream(ada, place, topic, '@**all** look')
        await sendToStream(ada, place, topic, `@**${first}** and @**${second}**`)
        await sendToStream(ada, place, topic, `@**everyone** and @**${first}**`)
      }
    }
    await sendPrivately(ada, [mia, gus], `@**${first}** @**all**`)
  })
})

test('topics and streams are muted and unmuted with mentions and unread messages', async () => {
  const stream = await scene.stream('market')
  const name = await nameOf(mia)
  for (const topic of ['fish', 'Fish', 'bread']) {
    await sendToStream(ada, stream, topic, '@**all**')
    await sendToStream(ada, stream, topic, `@**${name}**`)
  }
  const mute = (op: 'add' | 'remove') => mia.subscriptions.muteTopic({ stream: 'market', topic: 'FISH', op })
  const muteStream = (value: boolean) =>
    gus.subscriptions.setProperties({
      subscription_data: [{ stream_id: stream.stream_id, property: 'is_muted', value }],
    })
  await expectSame(scene, () => mute('add'))
  await expectSame(scene, () => muteStream(true))
  await expectSame(scene, async () => {
    await sendToStream(ada, stream, 'fish', '@**all** again')
    await mute('remove')
    await muteStream(false)
  })
})

test('a user unsubscribes, subscribes again and loses an archived stream with unread messages', async () => {
  const stream = await scene.stream('harbour')
  const name = await nameOf(mia)
  await sendToStream(ada, stream, 'boats', `@**${name}** @**all**`)
  await expectSame(scene, async () => {
    await mia.subscriptions.unsubscribe({ subscriptions: ['harbour'] })
    await sendToStream(ada, stream, 'boats')
  })
  await expectSame(scene, async () => {
    await mia.subscriptions.subscribe({ subscriptions: [{ name: 'harbour' }] })
    await sendToStream(ada, stream, 'boats')
  })
  await expectSame(scene, () => owner.streams.archive({ stream_id: stream.stream_id }))
})

test('a stream with unread messages becomes private, and public again', async () => {
  const stream = await scene.stream('attic')
  await sendToStream(ada, stream, 'boxes')
  await expectSame(scene, () => ada.streams.update({ stream_id: stream.stream_id, is_private: true }))
  await expectSame(scene, async () => {
    await sendToStream(ada, stream, 'boxes')
    await ada.streams.update({ stream_id: stream.stream_id, is_private: false })
  })
})

test('a user becomes a guest, an administrator and a member again with unread messages', async () => {
  const stream = await scene.stream('stairs')
  await sendToStream(ada, stream, 'steps')
  await sendPrivately(ada, [mia, nora])
  for (const role of [600, 400, 200, 400] as const) {
    await expectSame(scene, async () => {
      await owner.users.update({ user_id: mia.user_id, role })
      await sendToStream(ada, stream, 'steps')
    })
  }
})

test('concurrent messages have the same result in state and events', async () => {
  const stream = await scene.stream('fair')
  await expectSame(scene, async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        sendToStream(index % 2 ? ada : gus, stream, 'noise', `${index}`),
      ),
    )
    await world.settled()
  })
})
