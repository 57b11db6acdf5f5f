import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { expectSame, setScene } from '../streams-state/scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, mia, lara, nora, gus, gwen } = scene
await setOrganizationRules(world, 'message_content_edit_limit_seconds = 0')
const nameOf = async (person: typeof mia) => (await person.users.me()).full_name
const kinds = {
  public: {},
  private: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true },
}

for (const [kind, options] of Object.entries(kinds)) {
  test(`content and mentions are edited in a ${kind} stream`, async () => {
    const stream = await scene.stream(`edited ${kind}`, options)
    const [first, second] = [await nameOf(mia), await nameOf(gus)]
    const id = await sendToStream(ada, stream, 'roses', `@**${first}**`)
    const edit = (content: string) => ada.messages.edit({ message_id: id, content })
    await expectSame(scene, () => edit('nobody'))
    await expectSame(scene, () => edit(`@**${first}** @**${second}**`))
    await expectSame(scene, () => edit('@**all**'))
    await expectSame(scene, () => edit(`@**all** @**${second}**`))
    await expectSame(scene, () => edit('/me is quiet'))
  })

  test(`topics are edited in a ${kind} stream for one, later and all messages`, async () => {
    const stream = await scene.stream(`topics ${kind}`, options)
    const ids: MessageId[] = []
    for (let index = 0; index < 5; index++)
      ids.push(await sendToStream(ada, stream, index % 2 ? 'Roses' : 'roses'))
    await mia.messages.changeFlags({ messages: ids.slice(0, 1), op: 'add', flag: 'read' })
    const modes = ['change_one', 'change_later', 'change_all'] as const
    for (const [index, propagate_mode] of modes.entries()) {
      const message_id = ids[index + 1] as MessageId
      await expectSame(scene, () =>
        ada.messages.edit({ message_id, topic: `tulips ${index}`, propagate_mode }),
      )
      await sendToStream(ada, stream, 'roses')
    }
    await mia.subscriptions.muteTopic({ stream_id: stream.stream_id, topic: 'tulips 2', op: 'add' })
    await expectSame(scene, () =>
      ada.messages.edit({ message_id: ids[0] as MessageId, topic: 'Tulips 2', propagate_mode: 'change_all' }),
    )
  })

  test(`the first, the last and all messages of a topic are deleted in a ${kind} stream`, async () => {
    const stream = await scene.stream(`deleted ${kind}`, options)
    const name = await nameOf(mia)
    const ids: MessageId[] = []
    for (const topic of ['a', 'a', 'B', 'b', 'c'])
      ids.push(await sendToStream(ada, stream, topic, `@**${name}** @**all**`))
    await mia.messages.changeFlags({ messages: ids, op: 'add', flag: 'starred' })
    await expectSame(scene, () => ada.messages.remove({ message_id: ids[0] as MessageId }))
    await expectSame(scene, () => ada.messages.remove({ message_id: ids[4] as MessageId }))
    await expectSame(scene, () => ada.streams.deleteTopic({ stream_id: stream.stream_id, topic_name: 'b' }))
    await expectSame(scene, () => ada.messages.remove({ message_id: ids[1] as MessageId }))
    await expectSame(scene, () => sendToStream(ada, stream, 'again'))
  })
}

test('messages move between streams with unread, starred and muted state', async () => {
  const from = await scene.stream('old place')
  const to = await scene.stream('new place')
  const other = await world.stream('other place', { by: owner, members: [owner, mia, gwen] })
  const ids: MessageId[] = []
  for (const topic of ['a', 'A', 'b']) ids.push(await sendToStream(ada, from, topic, '@**all**'))
  await gus.messages.changeFlags({ messages: ids.slice(0, 1), op: 'add', flag: 'starred' })
  await mia.subscriptions.muteTopic({ stream: 'new place', topic: 'a', op: 'add' })
  const move = (id: MessageId | undefined, stream_id: number, more = {}) =>
    owner.messages.edit({
      message_id: id as MessageId,
      stream_id: stream_id as never,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
      ...more,
    })
  await expectSame(scene, () => move(ids[2], to.stream_id))
  await expectSame(scene, () => move(ids[0], to.stream_id, { propagate_mode: 'change_all' }))
  await expectSame(scene, () => move(ids[0], other.stream_id, { topic: 'z', propagate_mode: 'change_later' }))
  await expectSame(scene, () => move(ids[0], from.stream_id, { propagate_mode: 'change_all' }))
  await expectSame(scene, () => mia.subscriptions.unsubscribe({ subscriptions: ['old place'] }))
})

test('flags are added and removed, singly and in batches', async () => {
  const stream = await scene.stream('flags')
  const ids: MessageId[] = []
  for (const topic of ['a', 'b', 'b', 'A']) ids.push(await sendToStream(ada, stream, topic, '@**all**'))
  ids.push(await sendPrivately(ada, [mia, lara]), await sendPrivately(ada, [mia]))
  ids.push(await sendPrivately(mia, [mia]))
  const change = (op: 'add' | 'remove', flag: string, messages: (MessageId | undefined)[]) =>
    mia.messages.changeFlags({ op, flag, messages: messages as MessageId[] })
  await expectSame(scene, () => change('add', 'read', ids.slice(0, 2)))
  await expectSame(scene, () => change('add', 'starred', [ids[0], ids[4]]))
  await expectSame(scene, () => change('remove', 'read', [ids[0], ids[5]]))
  await expectSame(scene, async () => {
    await change('add', 'read', ids)
    await change('remove', 'read', ids.slice(2))
    await change('add', 'read', [ids[3], ids[6]])
    await change('add', 'collapsed', ids)
    await change('remove', 'starred', ids)
  })
  // Stars a message of the history that the user did not receive.
  await expectSame(scene, () =>
    nora.messages.changeFlags({ op: 'add', flag: 'starred', messages: [ids[0] as MessageId] }),
  )
})

test('all messages, a stream and a topic are marked as read', async () => {
  const stream = await scene.stream('marks')
  const other = await scene.stream('more marks')
  const fill = async () => {
    for (const place of [stream, other])
      for (const topic of ['a', 'A', 'b']) await sendToStream(ada, place, topic, '@**all**')
    await sendPrivately(ada, [mia, gus])
  }
  await fill()
  const topic = { stream_id: stream.stream_id, topic_name: 'a' }
  await expectSame(scene, () => mia.messages.markTopicRead(topic))
  await expectSame(scene, () => mia.messages.markStreamRead({ stream_id: stream.stream_id }))
  await expectSame(scene, () => mia.messages.markTopicRead({ ...topic, topic_name: '' }))
  await fill()
  await expectSame(scene, () => mia.messages.markAllRead())
  await expectSame(scene, async () => {
    await fill()
    await gus.messages.markAllRead()
    await fill()
    await gus.messages.markStreamRead({ stream_id: other.stream_id })
  })
})

test('private messages are edited and deleted', async () => {
  const name = await nameOf(lara)
  const id = await sendPrivately(mia, [lara, nora], 'one')
  await sendPrivately(mia, [lara, nora], 'two')
  await setOrganizationRules(world, 'allow_message_deleting = true')
  await expectSame(scene, () => mia.messages.edit({ message_id: id, content: `@**${name}** three` }))
  await expectSame(scene, () => mia.messages.remove({ message_id: id }))
})
