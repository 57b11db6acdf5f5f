import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectSame, expectSameForAll, setScene, subscribe, unsubscribe } from './scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, otis, mia, lara, nora, gus, gil, robin, rosa } = scene

const closed = { invite_only: true }
const mute = async (stream: { stream_id: number }, topic: string, ...people: (typeof mia)[]) => {
  for (const { subscriptions } of people)
    await subscriptions.muteTopic({ stream_id: stream.stream_id as never, topic, op: 'add' })
}

test('after streams are renamed to another case, to another sort position and to emoji, a state updated by events equals a fresh state', async () => {
  const acorn = await scene.stream('acorn')
  const badger = await scene.stream('badger', closed)
  const middle = await scene.stream('middle')

  await expectSame(scene, async () => {
    await owner.streams.update({ stream_id: acorn.stream_id, new_name: 'ACORN' })
    await ada.streams.update({ stream_id: badger.stream_id, new_name: 'zebra' })
    await otis.on('b').streams.update({ stream_id: middle.stream_id, new_name: '🦔 hedgehogs' })
  })

  await expectSame(scene, async () => {
    await owner.streams.update({ stream_id: acorn.stream_id, new_name: 'ﬀ' })
    await owner.streams.update({ stream_id: badger.stream_id, new_name: '🦡' })
    await owner.streams.update({ stream_id: middle.stream_id, new_name: '0 first' })
    await owner.streams.update({ stream_id: middle.stream_id, new_name: 'acorn' })
  })
})

test('after a stream gets the former name of another stream that has muted topics, a state updated by events equals a fresh state', async () => {
  const [one, two] = [await scene.stream('cress'), await scene.stream('dill')]
  await mute(one, 'seeds', mia, lara, nora, gus)
  await mute(two, 'leaves', mia, lara, nora, gus)

  await expectSame(scene, async () => {
    await owner.streams.update({ stream_id: one.stream_id, new_name: 'cress of old' })
    await owner.streams.update({ stream_id: two.stream_id, new_name: 'cress' })
  })

  await expectSame(scene, async () => {
    await owner.streams.archive({ stream_id: two.stream_id })
    await owner.streams.update({ stream_id: one.stream_id, new_name: 'Cress' })
  })
})

test('after two streams with muted topics swap their names, a state updated by events equals a fresh state', async () => {
  const [one, two] = [await scene.stream('ebb'), await scene.stream('flow')]
  await mute(one, 'moon', mia)
  await mute(two, 'sun', mia)

  await expectSame(scene, async () => {
    await owner.streams.update({ stream_id: one.stream_id, new_name: 'between' })
    await owner.streams.update({ stream_id: two.stream_id, new_name: 'ebb' })
    await owner.streams.update({ stream_id: one.stream_id, new_name: 'flow' })
  })
})

test('after description, policies and retention of a public and a private stream change, a state updated by events equals a fresh state', async () => {
  const fern = await scene.stream('fern')
  const grotto = await scene.stream('grotto', closed)

  await expectSame(scene, async () => {
    for (const { stream_id } of [fern, grotto]) {
      await ada.streams.update({ stream_id, description: 'Where it is *damp*\nand dark' })
      await otis.streams.update({ stream_id, stream_post_policy: 2 })
      await otis.streams.update({ stream_id, stream_post_policy: 3 })
      await owner.streams.update({ stream_id, message_retention_days: 'forever' })
    }
  })

  await expectSame(scene, async () => {
    for (const { stream_id, name } of [fern, grotto]) {
      await owner.streams.update({
        stream_id,
        new_name: `${name} again`,
        description: '',
        is_announcement_only: true,
        message_retention_days: 12,
      })
      await owner.streams.update({ stream_id, is_announcement_only: false })
      await owner.streams.update({ stream_id, message_retention_days: 'realm_default' })
    }
  })
})

for (const history_public_to_subscribers of [true, false]) {
  const kind = history_public_to_subscribers ? 'shared' : 'protected'

  test(`after a stream with muted topics becomes private with ${kind} history, and public again, a state updated by events equals a fresh state`, async () => {
    const hedge = await scene.stream(`hedge with ${kind} history`)
    const { stream_id } = hedge
    await mute(hedge, 'thorns', owner, ada, mia, nora, gus, robin)
    await subscribe(ada, [hedge.name], [lara, gil])
    await mute(hedge, 'birds', lara, gil)
    await unsubscribe(owner, [hedge.name], [lara, gil])

    const received = await expectSameForAll(scene, () =>
      ada.streams.update({ stream_id, is_private: true, history_public_to_subscribers }),
    )
    assert.deepEqual(
      received.nora?.map((event) => event.type === 'stream' && event.op),
      ['delete'],
    )
    assert.deepEqual(received.gwen, [])

    await expectSame(scene, () => ada.streams.update({ stream_id, is_private: false }))
  })
}

test('after all settings of a private stream change and it becomes public, a state updated by events equals a fresh state', async () => {
  const island = await scene.stream('island', closed)

  await expectSame(scene, () =>
    ada.streams.update({
      stream_id: island.stream_id,
      new_name: 'Isle',
      description: 'Open to *all*',
      stream_post_policy: 2,
      is_private: false,
    }),
  )

  await expectSame(scene, async () => {
    const { stream_id } = island
    await ada.streams.update({ stream_id, is_private: true, new_name: 'island' })
    await ada.streams.update({ stream_id, is_private: true, history_public_to_subscribers: true })
    await ada.streams.update({ stream_id, is_private: false })
    await ada.streams.update({ stream_id, is_private: false, history_public_to_subscribers: false })
    await ada.streams.update({ stream_id, is_private: true, stream_post_policy: 1 })
  })
})

test('after users join and leave a stream that becomes private and public in turn, a state updated by events equals a fresh state', async () => {
  const { stream_id, name } = await scene.stream('jetty')

  await expectSame(scene, async () => {
    await ada.streams.update({ stream_id, is_private: true })
    await unsubscribe(mia, [name])
    await subscribe(ada, [name], [nora, gil])
    await unsubscribe(nora, [name])
    await ada.streams.update({ stream_id, is_private: false })
    await subscribe(lara, [name])
    await ada.streams.update({ stream_id, is_private: true })
  })
})

test('after public and private streams are archived, a state updated by events equals a fresh state', async () => {
  const keep = await scene.stream('keep')
  const lock = await scene.stream('lock', closed)
  await mute(keep, 'keys', owner, mia, nora, gus)
  await mute(lock, 'keys', mia, gus)

  await expectSame(scene, () => otis.streams.archive({ stream_id: keep.stream_id }))

  await expectSame(scene, () => otis.streams.archive({ stream_id: lock.stream_id }))

  await expectSame(scene, async () => {
    await subscribe(nora, ['Keep', 'LOCK'], [nora, mia, gil])
  })
})

test('after a stream without subscribers and streams whose only subscriber is deactivated are archived, a state updated by events equals a fresh state', async () => {
  const leaver = await world.person('leaver')
  await subscribe(leaver, ['mould'])
  await subscribe(leaver, ['niche'], [], closed)
  await subscribe(lara, ['orchard'], [gil, lara])
  await unsubscribe(owner, ['orchard'], [gil, lara])
  const idOf = async (name: string) => {
    const { streams } = await owner.streams.list({ include_all_active: true })
    return streams.find((stream) => stream.name === name)?.stream_id as never
  }
  const ids = await Promise.all(['mould', 'niche', 'orchard'].map(idOf))
  await owner.users.deactivate({ user_id: leaver.user_id })

  await expectSame(scene, async () => {
    for (const stream_id of ids) await owner.streams.archive({ stream_id })
  })

  await expectSame(scene, () => owner.users.reactivate({ user_id: leaver.user_id }))
})

test('after streams of the same name are archived repeatedly, a state updated by events equals a fresh state', async () => {
  const makeAndArchive = async () => {
    const { stream_id } = await world.stream('phoenix', { by: ada, members: [mia, gus] })
    await owner.streams.archive({ stream_id })
  }
  for (let count = 0; count < 21; count++) await makeAndArchive()

  await expectSame(scene, makeAndArchive)
})

test('after the stream for announcements and sign-up notices is archived, a state updated by events equals a fresh state', async () => {
  const pulpit = await scene.stream('pulpit', closed)
  await world.database.query(
    'update organization set notifications_stream_id = $1, signup_notifications_stream_id = $1',
    [pulpit.stream_id],
  )

  const received = await expectSameForAll(scene, () => owner.streams.archive({ stream_id: pulpit.stream_id }))

  const typesFor = (name: string) => received[name]?.map(({ type }) => type) ?? []
  assert.deepEqual(typesFor('nora'), ['realm', 'realm'])
  assert.deepEqual(typesFor('gwen'), [], 'guests do not learn of streams for notices')
})

test('after topics are muted and unmuted, by stream name and by id, a state updated by events equals a fresh state', async () => {
  const [quay, reef] = [await scene.stream('quay'), await scene.stream('reef', closed)]

  await expectSame(scene, async () => {
    await mute(quay, 'boats', mia, nora, gus, robin, rosa)
    await mute(reef, 'fish', mia, gus)
    await mia.subscriptions.muteTopic({ stream: 'QUAY', topic: 'Ropes', op: 'add' })
  })

  await expectSame(scene, async () => {
    await mia.subscriptions.muteTopic({ stream: 'quay', topic: 'BOATS', op: 'remove' })
    await gus.subscriptions.muteTopic({ stream_id: reef.stream_id, topic: 'Fish', op: 'remove' })
    await mute(quay, 'boats', mia)
  })
})

test('after streams with muted topics are renamed, left, made private and archived, a state updated by events equals a fresh state', async () => {
  const { stream_id, name } = await scene.stream('sluice')
  const other = await scene.stream('sluices')
  await mute(other, 'locks', mia, nora)

  await expectSame(scene, async () => {
    await mute({ stream_id }, 'eels', owner, mia, nora, gus)
    await owner.streams.update({ stream_id, new_name: 'weir' })
    await mute({ stream_id }, 'otters', mia, nora)
    await unsubscribe(owner, ['weir'], [mia, gus])
  })

  await expectSame(scene, async () => {
    await owner.streams.update({ stream_id, new_name: 'Weir' })
    await ada.streams.update({ stream_id, is_private: true })
    await owner.streams.update({ stream_id, new_name: name })
    await mute(other, 'gates', mia, nora)
  })

  await expectSame(scene, () => ada.streams.update({ stream_id, is_private: false }))

  await expectSame(scene, () => owner.streams.archive({ stream_id }))
})
