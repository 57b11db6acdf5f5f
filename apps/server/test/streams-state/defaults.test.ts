import { after, test } from 'node:test'
import { expectSame, setScene, subscribe, unsubscribe } from './scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, otis, mia, nora, gus } = scene

const closed = { invite_only: true }

test('after streams are added to and removed from the default streams, a state updated by events equals a fresh state', async () => {
  const [apple, barn] = [await scene.stream('apple'), await scene.stream('barn', closed)]

  await expectSame(scene, async () => {
    await owner.defaultStreams.add({ stream_id: apple.stream_id })
    await ada.on('b').defaultStreams.add({ stream_id: barn.stream_id })
    await ada.defaultStreams.add({ stream_id: barn.stream_id })
  })

  await expectSame(scene, async () => {
    await otis.defaultStreams.remove({ stream_id: barn.stream_id })
    await otis.defaultStreams.remove({ stream_id: barn.stream_id })
    await ada.defaultStreams.add({ stream_id: barn.stream_id })
    await otis.defaultStreams.remove({ stream_id: apple.stream_id })
  })

  await otis.defaultStreams.remove({ stream_id: barn.stream_id })
})

test('after the settings of a public and a private default stream change, a state updated by events equals a fresh state', async () => {
  const [cherry, den] = [await scene.stream('cherry'), await scene.stream('den', closed)]
  for (const { stream_id } of [cherry, den]) await ada.defaultStreams.add({ stream_id })

  await expectSame(scene, async () => {
    for (const { stream_id, name } of [den, cherry]) {
      await owner.streams.update({ stream_id, new_name: `Sweet ${name}` })
      await owner.streams.update({ stream_id, description: 'Ripe *soon*' })
      await owner.streams.update({ stream_id, stream_post_policy: 3 })
      await owner.streams.update({ stream_id, message_retention_days: 5 })
    }
  })

  await expectSame(scene, async () => {
    await ada.streams.update({ stream_id: den.stream_id, is_private: false, new_name: 'den' })
    await ada.streams.update({ stream_id: cherry.stream_id, is_private: true, new_name: 'cherry' })
  })

  await expectSame(scene, async () => {
    await ada.streams.update({ stream_id: cherry.stream_id, is_private: false })
    await ada.streams.update({ stream_id: den.stream_id, is_private: true })
    await subscribe(ada, ['den'], [nora])
    await unsubscribe(nora, ['den'])
  })

  await expectSame(scene, async () => {
    for (const { stream_id } of [cherry, den]) await owner.streams.archive({ stream_id })
  })
})

test('after default stream groups are created, changed and deleted, a state updated by events equals a fresh state', async () => {
  const [elder, flint] = [await scene.stream('elder'), await scene.stream('flint', closed)]
  const grass = await scene.stream('grass')

  const made = Promise.withResolvers<number>()
  await expectSame(scene, async () => {
    const { id } = await ada.defaultStreams.createGroup({
      group_name: 'Outside',
      description: 'Where it rains',
      stream_names: [elder.name, flint.name],
    })
    made.resolve(id)
    await otis.defaultStreams.createGroup({ group_name: 'Empty', description: '', stream_names: [] })
  })
  const group_id = (await made.promise) as never

  await expectSame(scene, async () => {
    await otis.defaultStreams.updateGroup({ group_id, new_group_name: 'Always outside' })
    await otis.defaultStreams.updateGroup({ group_id, new_description: 'In any weather' })
  })

  await expectSame(scene, async () => {
    const change = { group_id, stream_names: [grass.name] }
    await ada.defaultStreams.changeGroupStreams({ ...change, op: 'add' })
    await ada.defaultStreams.changeGroupStreams({ group_id, stream_names: [elder.name], op: 'remove' })
    await ada.defaultStreams.changeGroupStreams({ group_id, stream_names: [elder.name], op: 'add' })
  })

  await expectSame(scene, async () => {
    for (const { stream_id, name } of [elder, flint, grass])
      await owner.streams.update({ stream_id, new_name: `${name} hill`, description: 'High' })
    await ada.streams.update({ stream_id: flint.stream_id, is_private: false })
    await ada.streams.update({ stream_id: elder.stream_id, is_private: true })
    await owner.streams.update({ stream_id: elder.stream_id, stream_post_policy: 2 })
  })

  await expectSame(scene, () => owner.streams.archive({ stream_id: grass.stream_id }))

  await expectSame(scene, () => owner.streams.archive({ stream_id: elder.stream_id }))

  await expectSame(scene, () => otis.defaultStreams.removeGroup({ group_id }))
})

test('after new accounts are subscribed to the default streams, a state updated by events equals a fresh state', async () => {
  const [heath, inlet] = [await scene.stream('heath'), await scene.stream('inlet', closed)]
  await subscribe(mia, ['kiln'])
  await unsubscribe(mia, ['kiln'])
  const kiln = await owner.streams.getId({ stream: 'kiln' })
  for (const { stream_id } of [heath, inlet, kiln]) await ada.defaultStreams.add({ stream_id })

  await expectSame(scene, async () => {
    await owner.users.create({
      email: 'new@garden.example',
      full_name: 'Nora New',
      password: 'reed 12 heron lake',
    })
    await world.person('greta', 'guest')
    await world.person('aron', 'administrator')
  })

  await expectSame(scene, () =>
    Promise.all([
      world.person('late'),
      owner.on('b').streams.update({ stream_id: heath.stream_id, new_name: 'moor' }),
      ada.on('b').defaultStreams.remove({ stream_id: inlet.stream_id }),
      unsubscribe(gus, [inlet.name]),
    ]),
  )
})
