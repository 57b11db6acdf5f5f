import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StreamId } from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris] = await world.people('iris')
const ada = await world.person('ada', 'administrator')

let count = 0

/** Returns whether a stream is private, and whether new subscribers may read older messages. */
async function privacyOf(id: StreamId) {
  const { streams } = await owner.streams.list({ include_all_active: true })
  const stream = streams.find(({ stream_id }) => stream_id === id)
  return [stream?.invite_only, stream?.history_public_to_subscribers]
}

/**
 * Requested settings with the resulting ones: whether the stream is private and whether it shares
 * its history.
 */
const choices: [is_private: boolean, shared: boolean | null | undefined, became: [boolean, boolean]][] = [
  [true, undefined, [true, false]],
  [true, null, [true, false]],
  [true, true, [true, true]],
  [true, false, [true, false]],
  [false, undefined, [false, true]],
  [false, true, [false, true]],
  [false, false, [false, true]],
]
const history = (shared: boolean | null | undefined) =>
  shared === undefined ? {} : { history_public_to_subscribers: shared }

for (const [is_private, shared, became] of choices) {
  const what = `${is_private ? 'private' : 'public'} with history ${shared}`

  test(`a stream created as ${what} gets [private, history shared] = ${became}`, async () => {
    const { stream_id } = await world.stream(`stream ${++count}`, {
      invite_only: is_private,
      ...history(shared),
    })

    assert.deepEqual(await privacyOf(stream_id), became)
  })

  for (const before of ['public', 'private', 'private with shared history']) {
    test(`a ${before} stream changed to ${what} gets [private, history shared] = ${became}`, async () => {
      const invite_only = before !== 'public'
      const { stream_id } = await world.stream(`stream ${++count}`, {
        invite_only,
        history_public_to_subscribers: before.endsWith('shared history'),
      })

      await owner.streams.update({ stream_id, is_private, ...history(shared) })

      assert.deepEqual(await privacyOf(stream_id), became)
    })
  }
}

test('history_public_to_subscribers without is_private is ignored', async () => {
  const { stream_id } = await world.stream('diary', { invite_only: true })

  await owner.streams.update({ stream_id, history_public_to_subscribers: true })

  assert.deepEqual(await privacyOf(stream_id), [true, false])
})

test('an administrator who makes a public stream private without being subscribed cannot make it public again', async () => {
  const { stream_id, name } = await world.stream('greenhouse', { members: [iris] })
  const open = () => ada.streams.update({ stream_id, is_private: false })

  await ada.streams.update({ stream_id, is_private: true })
  await assert.rejects(open(), refusal('Invalid stream id'))
  await iris.subscriptions.subscribe({ subscriptions: [{ name }], principals: [ada.user_id] })
  await open()

  assert.deepEqual(await privacyOf(stream_id), [false, true])
})

test('a stream made private cannot be joined or found by non-subscribers, and their muted topics in it are deleted', async () => {
  const otto = await world.person('otto')
  const { stream_id, name } = await world.stream('pergola', { members: [owner, iris] })
  for (const person of [otto, iris, ada])
    await person.subscriptions.muteTopic({ stream_id, topic: 'vines', op: 'add' })

  await owner.streams.update({ stream_id, is_private: true })

  await assert.rejects(otto.streams.getId({ stream: name }), refusal(`Invalid stream name '${name}'`))
  await assert.rejects(
    otto.subscriptions.subscribe({ subscriptions: [{ name }] }),
    refusal(`Unable to access stream (${name}).`),
  )
  const mutedBy = async (person: typeof otto) =>
    (await person.events.register({ fetch_event_types: ['muted_topics'] })).muted_topics?.map(
      ([stream]) => stream,
    )
  assert.deepEqual([await mutedBy(otto), await mutedBy(iris), await mutedBy(ada)], [[], [name], [name]])
})

test('users who lose access to a stream get no events about other changes by the same request', async () => {
  const { stream_id } = await world.stream('merger', { members: [owner, ada] })
  const queue = await openQueue(iris, { event_types: ['stream'] })

  await owner.streams.update({
    stream_id,
    new_name: 'secret merger',
    description: 'We buy the hill',
    is_private: true,
  })
  await world.settled()
  const received = await queue.rest('b')

  assert.ok(!/secret|buy/.test(JSON.stringify(received)), JSON.stringify(received))
  assert.deepEqual(
    received.map((event) => event.type === 'stream' && event.op),
    ['delete'],
  )
})
