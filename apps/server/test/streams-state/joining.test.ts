import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inheritedSettings } from '@oxbow/contract'
import { expectSame, expectSameForAll, setScene, subscribe, unsubscribe } from './scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, otis, mia, lara, nora, gus, gil, gwen, robin, rosa, thorn } = scene

test('a new public stream emits events to other members, but not to guests', async () => {
  const received = await expectSameForAll(scene, () => subscribe(mia, ['allotment']))

  assert.ok(received.nora?.length)
  assert.deepEqual(received.gwen, [])
})

test('a new private stream emits events to the owner, but not to other users', async () => {
  const received = await expectSameForAll(scene, () =>
    subscribe(mia, ['burrow'], [], { invite_only: true, history_public_to_subscribers: true }),
  )

  assert.ok(received.owner?.length)
  for (const name of ['nora', 'lara', 'gus', 'gil', 'gwen']) assert.deepEqual(received[name], [], name)
})

test('after a user creates a private stream with protected history for other users, a state updated by events equals a fresh state', async () => {
  await expectSame(scene, () =>
    subscribe(nora, ['cellar'], [ada, lara, gus, gwen, robin], { invite_only: true }),
  )
})

test('after an administrator creates public streams for others, including guests and a bot, a state updated by events equals a fresh state', async () => {
  await expectSame(scene, () =>
    subscribe(otis, ['dahlias', 'Daisies', 'élan'], [gus, gwen, robin, lara, ada]),
  )
})

test('after a bot creates an announcement stream, and an owner creates a stream with message retention, a state updated by events equals a fresh state', async () => {
  await expectSame(scene, async () => {
    await robin.subscriptions.subscribe({
      subscriptions: [{ name: 'earwigs', description: 'Those *found*', color: '#abc' }],
      stream_post_policy: 2,
      announce: true,
    })
    await subscribe(owner, ['fog'], [mia], { message_retention_days: 30, stream_post_policy: 3 })
  })
})

test('after streams are created at the beginning, middle and end of the code point order, a state updated by events equals a fresh state', async () => {
  await expectSame(scene, () =>
    subscribe(
      mia,
      ['🦉 owls', 'ﬀ ligature', '!first', 'Zed', 'zed two', 'ß', 'garden 10', 'garden 9'],
      [mia, gus],
    ),
  )
})

test('after a public and a private stream are created for 30 users, a state updated by events equals a fresh state', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `gardener${index}`)
  const crowd = await world.people(...names)

  await expectSame(scene, async () => {
    await subscribe(mia, ['harvest'], [...crowd, mia, gwen])
    await subscribe(mia, ['hideout'], [...crowd, mia], { invite_only: true })
  })

  await expectSame(scene, () => unsubscribe(owner, ['harvest', 'hideout'], crowd))
})

test('after three users create a stream with the same name concurrently, a state updated by events equals a fresh state', async () => {
  await expectSame(scene, () =>
    Promise.all([
      subscribe(mia, ['iris']),
      subscribe(lara, ['Iris'], [lara, gus]),
      nora.on('b').subscriptions.subscribe({ subscriptions: [{ name: 'IRIS' }] }),
    ]),
  )
})

test('after users join a public stream and a private one, a state updated by events equals a fresh state', async () => {
  const ivy = await scene.stream('ivy')
  const jungle = await scene.stream('jungle', { invite_only: true })

  await expectSame(scene, async () => {
    await subscribe(nora, [ivy.name])
    await subscribe(mia, [jungle.name], [nora, otis, gwen])
    await subscribe(nora, [jungle.name], [owner])
  })
})

test('after users with changed subscription settings leave streams and join again, a state updated by events equals a fresh state', async () => {
  const kelp = await scene.stream('kelp')
  const lair = await scene.stream('lair', { invite_only: true })
  const set = (stream: typeof kelp) =>
    [mia, gus].map((person) =>
      person.subscriptions.setProperties({
        subscription_data: [
          { stream_id: stream.stream_id, property: 'color', value: '#123456' },
          { stream_id: stream.stream_id, property: 'is_muted', value: true },
          { stream_id: stream.stream_id, property: 'pin_to_top', value: true },
          { stream_id: stream.stream_id, property: 'push_notifications', value: true },
          { stream_id: stream.stream_id, property: 'wildcard_mentions_notify', value: false },
        ],
      }),
    )
  await Promise.all([...set(kelp), ...set(lair)])
  await unsubscribe(owner, [kelp.name, lair.name], [mia, gus])

  await expectSame(scene, () => subscribe(ada, [kelp.name, lair.name], [mia, gus, lara, gil, ada]))
})

test('after users join and leave streams repeatedly, a state updated by events equals a fresh state', async () => {
  const moss = await scene.stream('moss')
  const nook = await scene.stream('nook', { invite_only: true })

  await expectSame(scene, async () => {
    for (let round = 0; round < 3; round++) {
      await unsubscribe(ada, [moss.name, nook.name], [mia, gus, robin])
      await subscribe(ada, [moss.name, nook.name], [gus, robin, gil, nora])
      await unsubscribe(gus, [moss.name, nook.name])
      await subscribe(ada, [nook.name, moss.name], [mia, gus])
      await unsubscribe(owner, [moss.name, nook.name], [nora, gil])
    }
  })
})

test('after users unsubscribe themselves from streams, a state updated by events equals a fresh state', async () => {
  const oats = await scene.stream('oats')
  const pit = await scene.stream('pit', { invite_only: true })

  await expectSame(scene, async () => {
    for (const person of [mia, gus, ada, robin]) await unsubscribe(person, [oats.name, pit.name])
  })
})

test('after an administrator removes several users from several streams, each from different ones, a state updated by events equals a fresh state', async () => {
  const [peat, quince] = [await scene.stream('peat'), await scene.stream('quince')]
  const ruin = await scene.stream('ruin', { invite_only: true })
  await unsubscribe(mia, [peat.name])
  await unsubscribe(gus, [ruin.name])

  await expectSame(scene, () =>
    unsubscribe(otis, [ruin.name, peat.name, quince.name], [mia, gus, robin, nora, lara, rosa]),
  )
})

test('after the last subscriber leaves a public stream and users join it again, a state updated by events equals a fresh state', async () => {
  await subscribe(mia, ['sage'], [mia, gus])
  await unsubscribe(gus, ['sage'])

  await expectSame(scene, () => unsubscribe(mia, ['sage']))

  await expectSame(scene, () => subscribe(nora, ['sage'], [gus, nora]))

  await expectSame(scene, async () => {
    await unsubscribe(owner, ['sage'], [gus, nora])
    await subscribe(mia, ['sage'])
  })
})

test('a former subscriber gets one stream event when the last subscriber leaves a private stream', async () => {
  await subscribe(mia, ['thicket'], [mia, gus, lara], { invite_only: true })
  await unsubscribe(owner, ['thicket'], [lara, gus])

  const { lara: received } = await expectSameForAll(scene, () => unsubscribe(mia, ['thicket']))

  assert.deepEqual(
    received?.map(({ type }) => type),
    ['stream'],
  )
  await expectSame(scene, () => subscribe(lara, ['thicket']))
})

test('after the last active subscriber leaves a private default stream, a state updated by events equals a fresh state', async () => {
  const leaver = await world.person('leaver')
  await subscribe(ada, ['undergrowth'], [ada, leaver, gus], { invite_only: true })
  const { stream_id } = await ada.streams.getId({ stream: 'undergrowth' })
  await ada.defaultStreams.add({ stream_id })
  await owner.users.deactivate({ user_id: leaver.user_id })

  await expectSame(scene, () => unsubscribe(owner, ['undergrowth'], [ada, gus]))

  await expectSame(scene, () => owner.users.reactivate({ user_id: leaver.user_id }))
})

test('after users are subscribed and unsubscribed in one call, a state updated by events equals a fresh state', async () => {
  const violet = await scene.stream('violet')
  const warren = await scene.stream('warren', { invite_only: true })

  await expectSame(scene, () =>
    mia.subscriptions.change({
      add: [{ name: 'vine' }, { name: 'sage' }],
      delete: [violet.name, warren.name],
    }),
  )

  await expectSame(scene, () =>
    ada.subscriptions.change({
      add: [{ name: violet.name }, { name: warren.name }],
      delete: ['vine', warren.name],
      principals: [mia, lara, gwen, gus].map(({ user_id }) => user_id),
    }),
  )
})

test('after a stream is created and left in one call, a state updated by events equals a fresh state', async () => {
  await expectSame(scene, () => mia.subscriptions.change({ add: [{ name: 'wheat' }], delete: ['wheat'] }))

  await expectSame(scene, () =>
    mia.subscriptions.change({
      add: [{ name: 'xenia' }, { name: 'xylem' }],
      delete: ['xenia'],
      invite_only: true,
      principals: null,
    }),
  )
})

test('after every subscription setting changes, including `is_muted` by its old name `in_home_view`, a state updated by events equals a fresh state', async () => {
  const { stream_id } = await scene.stream('yarrow')
  const flags = ['is_muted', 'in_home_view', 'pin_to_top', ...inheritedSettings]
  const changes = flags.flatMap((property) => [true, false].map((value) => ({ stream_id, property, value })))

  for (const subscription_data of [changes, changes.toReversed()])
    await expectSame(scene, () =>
      Promise.all(
        [mia, gus, robin].map((person) => person.subscriptions.setProperties({ subscription_data })),
      ),
    )

  await expectSame(scene, async () => {
    await mia.subscriptions.setProperty({ stream_id, property: 'color', value: '#BEEF' })
    await unsubscribe(mia, ['yarrow'])
  })
})

test('after a user gets more subscriptions than there are colours, a state updated by events equals a fresh state', async () => {
  const names = Array.from({ length: 27 }, (_, index) => `zinnia ${index}`)

  await expectSame(scene, () => subscribe(nora, names, [nora, gil]))

  await expectSame(scene, () => unsubscribe(owner, names, [nora, gil, thorn]))
})

test('a refused change emits no events', async () => {
  const vault = await scene.stream('vault', { invite_only: true })
  const refused = () =>
    Promise.allSettled([
      subscribe(nora, [vault.name]),
      subscribe(owner, [vault.name, 'never made']),
      subscribe(gus, ['never made']),
      unsubscribe(mia, [vault.name], [ada]),
      unsubscribe(mia, [vault.name, 'nowhere']),
      nora.subscriptions.setProperty({ stream_id: vault.stream_id, property: 'color', value: '#123456' }),
      otis.streams.update({ stream_id: vault.stream_id, description: 'Open', is_private: false }),
      otis.streams.update({ stream_id: vault.stream_id, message_retention_days: 7 }),
    ])

  const received = await expectSameForAll(scene, async () => {
    for (const { status } of await refused()) assert.equal(status, 'rejected')
  })

  assert.deepEqual(Object.values(received).flat(), [])
})
