import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { say, tellPrivately } from '../say.ts'
import { expectSame, expectSameForAll, setScene } from '../streams-state/scene.ts'

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, mia, lara, nora, gus, gil, robin } = scene
const nameOf = async (person: typeof mia) => (await person.users.me()).full_name

for (const [kind, options] of Object.entries({
  public: {},
  private: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true },
})) {
  test(`the first messages of a ${kind} stream`, async () => {
    const stream = await scene.stream(`first ${kind}`, options)
    const received = await expectSameForAll(scene, async () => {
      await say(ada, stream, 'roses')
      await say(gus, stream, 'Roses')
      await say(robin, stream, 'tulips')
    })
    assert.ok(received.mia?.some(({ type }) => type === 'message'))
    assert.ok(!received.nora?.some(({ type }) => type === 'message'))
  })
}

test('more messages, by someone who is not in the stream, too', async () => {
  const stream = await scene.stream('garden')
  await say(ada, stream, 'roses')
  await expectSame(scene, async () => {
    await say(nora, stream, 'roses')
    await say(lara, stream, 'weeds')
    for (let index = 0; index < 30; index++) await say(mia, stream, `topic ${index % 7}`, `${index}`)
  })
})

test('private messages: to one, to oneself, to several, from a bot', async () => {
  await expectSame(scene, async () => {
    await tellPrivately(mia, [lara])
    await tellPrivately(lara, [mia])
    await tellPrivately(mia, [mia])
    await tellPrivately(mia, [lara, nora])
    await tellPrivately(robin, [mia, owner, gus])
    await tellPrivately(gil, [gus, mia, lara])
    await tellPrivately(nora, [mia, lara])
  })
})

test('people and everyone are mentioned, where it is muted and where it is not', async () => {
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
        await say(ada, place, topic, '@**all** look')
        await say(ada, place, topic, `@**${first}** and @**${second}**`)
        await say(ada, place, topic, `@**everyone** and @**${first}**`)
      }
    }
    await tellPrivately(ada, [mia, gus], `@**${first}** @**all**`)
  })
})

test('muting and unmuting with mentions and messages unread', async () => {
  const stream = await scene.stream('market')
  const name = await nameOf(mia)
  for (const topic of ['fish', 'Fish', 'bread']) {
    await say(ada, stream, topic, '@**all**')
    await say(ada, stream, topic, `@**${name}**`)
  }
  const mute = (op: 'add' | 'remove') => mia.subscriptions.muteTopic({ stream: 'market', topic: 'FISH', op })
  const muteStream = (value: boolean) =>
    gus.subscriptions.setProperties({
      subscription_data: [{ stream_id: stream.stream_id, property: 'is_muted', value }],
    })
  await expectSame(scene, () => mute('add'))
  await expectSame(scene, () => muteStream(true))
  await expectSame(scene, async () => {
    await say(ada, stream, 'fish', '@**all** again')
    await mute('remove')
    await muteStream(false)
  })
})

test('leaving, coming back and archiving with messages unread', async () => {
  const stream = await scene.stream('harbour')
  const name = await nameOf(mia)
  await say(ada, stream, 'boats', `@**${name}** @**all**`)
  await expectSame(scene, async () => {
    await mia.subscriptions.unsubscribe({ subscriptions: ['harbour'] })
    await say(ada, stream, 'boats')
  })
  await expectSame(scene, async () => {
    await mia.subscriptions.subscribe({ subscriptions: [{ name: 'harbour' }] })
    await say(ada, stream, 'boats')
  })
  await expectSame(scene, () => owner.streams.archive({ stream_id: stream.stream_id }))
})

test('a stream with messages unread becomes private, and public again', async () => {
  const stream = await scene.stream('attic')
  await say(ada, stream, 'boxes')
  await expectSame(scene, () => ada.streams.update({ stream_id: stream.stream_id, is_private: true }))
  await expectSame(scene, async () => {
    await say(ada, stream, 'boxes')
    await ada.streams.update({ stream_id: stream.stream_id, is_private: false })
  })
})

test('someone becomes a guest, an administrator and a member again with messages unread', async () => {
  const stream = await scene.stream('stairs')
  await say(ada, stream, 'steps')
  await tellPrivately(ada, [mia, nora])
  for (const role of [600, 400, 200, 400] as const) {
    await expectSame(scene, async () => {
      await owner.users.update({ user_id: mia.user_id, role })
      await say(ada, stream, 'steps')
    })
  }
})

test('what was said is what everyone was told, whoever wrote when', async () => {
  const stream = await scene.stream('fair')
  await expectSame(scene, async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => say(index % 2 ? ada : gus, stream, 'noise', `${index}`)),
    )
    await world.settled()
  })
})
