import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { readMessages, sendToStream } from '@oxbow/testkit/calls/messages'

const quietly = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

const world = await startWorld({ notices: true })
after(() => world[Symbol.asyncDispose]())
const [iris] = await world.people('iris')
const ada = await world.person('ada', 'administrator')

let count = 0
const newStream = (members: Person[]) => world.stream(`stream ${++count}`, { members })

test('a move posts unread notices in the old and the new topic', async () => {
  const from = await newStream([iris, ada])
  const to = await newStream([iris, ada])
  const message_id = await sendToStream(iris, from, 'roses')

  await ada.messages.edit({ message_id, stream_id: to.stream_id, topic: 'tulips' })

  const noticeIn = (stream: MadeStream) =>
    eventually(async () =>
      (await readMessages(ada, { stream: stream.name })).find(({ content }) =>
        content.startsWith('This topic was moved'),
      ),
    )
  const here = await noticeIn(to)
  const there = await noticeIn(from)
  const by = `@_**Ada Gardener|${ada.user_id}**`
  assert.deepEqual(
    [here, there].map((notice) => [notice.subject, notice.content, notice.flags, notice.sender_full_name]),
    [
      ['tulips', `This topic was moved here from another stream by ${by}`, [], 'Notification Bot'],
      [
        'roses',
        `This topic was moved by ${by} to [another stream](#narrow/near/${message_id})`,
        [],
        'Notification Bot',
      ],
    ],
  )
})

test('move notices reveal neither the name nor the topic of a hidden stream to guests', async () => {
  const gus = await world.person('gus', 'guest')
  const gwen = await world.person('gwen', 'guest')
  const from = await world.stream('old secret', { members: [iris, ada, gus] })
  const to = await world.stream('new secret', { members: [iris, ada, gwen] })
  for (const mode of ['change_one', 'change_later', 'change_all'] as const) {
    const message_id = await sendToStream(iris, from, `hush ${mode}`)
    const topic = `quiet ${mode}`
    await ada.messages.edit({ message_id, stream_id: to.stream_id, topic, propagate_mode: mode })
    const readers = [
      [gus, from, /new secret|quiet/, `hush ${mode}`],
      [gwen, to, /old secret|hush/, topic],
    ] as const
    for (const [guest, stream, hidden, subject] of readers) {
      const notice = await eventually(async () =>
        (await readMessages(guest, { stream: stream.name })).find(
          (message) => message.subject === subject && message.content.startsWith('This topic was moved'),
        ),
      )
      assert.doesNotMatch(JSON.stringify(notice), hidden)
    }
  }
})

test('a move posts no notices if the request disables them', async () => {
  const from = await newStream([iris])
  const to = await newStream([iris])
  const one = await sendToStream(iris, from, 'roses')
  const other = await sendToStream(iris, from, 'oaks')

  await ada.messages.edit({ message_id: one, stream_id: to.stream_id, ...quietly })
  await ada.messages.edit({
    message_id: other,
    stream_id: to.stream_id,
    send_notification_to_new_thread: false,
  })

  await eventually(async () =>
    (await readMessages(iris, { stream: from.name })).some(({ subject }) => subject === 'oaks'),
  )
  const notices = [
    ...(await readMessages(iris, { stream: from.name })),
    ...(await readMessages(iris, { stream: to.name })),
  ].filter(({ content }) => content.startsWith('This topic was moved'))
  assert.deepEqual(
    notices.map(({ subject }) => subject),
    ['oaks'],
  )
})
