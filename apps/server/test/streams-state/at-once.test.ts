import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, Role, type StreamId } from '@oxbow/contract'
import { changeRole, expectSame, setScene, subscribe, unsubscribe } from './scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, otis, mia, lara, nora, gus, gil, gwen, robin, rosa, thorn } = scene

const closed = { invite_only: true }

/** Runs conflicting changes, some of which are refused. Any other failure is thrown. */
async function allAtOnce(changes: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(changes)
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    const { reason } = result
    if (!(reason instanceof ApiError) || reason.is('INTERNAL_ERROR')) throw reason
  }
  const done = results.filter(({ status }) => status === 'fulfilled').length
  assert.ok(done > results.length / 3, `${done} of ${results.length} were not refused`)
}

test('after users subscribe and unsubscribe on both nodes concurrently, a state updated by events equals a fresh state', async () => {
  const [apple, barn] = [await scene.stream('apple'), await scene.stream('barn', closed)]
  const names = [apple.name, barn.name]
  const others = [lara, nora, gil, gwen, robin].map(({ user_id }) => user_id)

  await expectSame(scene, () =>
    allAtOnce(
      [1, 2, 3, 4].flatMap(() => [
        subscribe(ada, names, [lara, gil, nora]),
        ada.on('b').subscriptions.subscribe({
          subscriptions: names.toReversed().map((name) => ({ name })),
          principals: others,
        }),
        unsubscribe(owner, names, [gil, nora, robin]),
        owner.on('b').subscriptions.unsubscribe({ subscriptions: [barn.name], principals: others }),
        unsubscribe(gus, names.toReversed()),
        mia.on('b').subscriptions.change({ add: [{ name: apple.name }], delete: [barn.name] }),
        subscribe(mia, [apple.name]),
      ]),
    ),
  )
})

test('after users join some streams and leave others concurrently, each in a different order, a state updated by events equals a fresh state', async () => {
  const names = ['aspen', 'birch', 'cedar']
  for (const name of names) await scene.stream(name)
  const principals = [lara, nora, gil].map(({ user_id }) => user_id)
  const subscriptions = names.map((name) => ({ name }))

  await expectSame(scene, () =>
    allAtOnce(
      [1, 2, 3, 4].flatMap(() => [
        owner.subscriptions.change({ add: subscriptions.slice(0, 1), delete: names.slice(1), principals }),
        owner
          .on('b')
          .subscriptions.change({ add: subscriptions.slice(1), delete: names.slice(0, 1), principals }),
        subscribe(ada, names, [lara, nora]),
        unsubscribe(ada, names.toReversed(), [nora, gil]),
      ]),
    ),
  )
})

test('after subscription settings change while users join and leave, a state updated by events equals a fresh state', async () => {
  const names = ['damson', 'elder', 'fig']
  const streams: StreamId[] = []
  for (const name of names) streams.push((await scene.stream(name)).stream_id)
  const pin = (order: readonly StreamId[], value: boolean) =>
    order.map((stream_id) => ({ stream_id, property: 'pin_to_top', value }))

  await expectSame(scene, () =>
    allAtOnce(
      [true, false, true, false].flatMap((value) => [
        mia.subscriptions.setProperties({ subscription_data: pin(streams, value) }),
        mia.on('b').subscriptions.setProperties({ subscription_data: pin(streams.toReversed(), value) }),
        subscribe(ada, names, [lara, nora]),
        unsubscribe(ada, names.toReversed(), [nora, gil]),
      ]),
    ),
  )
})

test('after all settings of a stream change while users join and leave, a state updated by events equals a fresh state', async () => {
  const [cherry, den] = [await scene.stream('cherry'), await scene.stream('den', closed)]
  for (const { stream_id } of [cherry, den]) await ada.defaultStreams.add({ stream_id })

  await expectSame(scene, () =>
    allAtOnce(
      [cherry, den].flatMap(({ stream_id, name }) =>
        [1, 2, 3].flatMap((round) => [
          owner.streams.update({ stream_id, new_name: `${name} ${round}` }),
          otis.on('b').streams.update({ stream_id, new_name: name, description: `Round *${round}*` }),
          ada.streams.update({ stream_id, is_private: round % 2 === 0 }),
          ada.on('b').streams.update({ stream_id, is_private: round % 2 === 1 }),
          subscribe(ada, [name], [lara, nora, gwen]),
          unsubscribe(owner, [name], [lara, nora, gus]),
          mia.subscriptions.muteTopic({ stream_id, topic: `topic ${round}`, op: 'add' }),
          nora.on('b').subscriptions.muteTopic({ stream_id, topic: `topic ${round}`, op: 'add' }),
          mia.on('b').subscriptions.setProperties({
            subscription_data: [{ stream_id, property: 'is_muted', value: round === 2 }],
          }),
          otis.defaultStreams.remove({ stream_id }),
          ada.on('b').defaultStreams.add({ stream_id }),
        ]),
      ),
    ),
  )
})

test('after roles of users change while streams change, a state updated by events equals a fresh state', async () => {
  const [gorse, flint] = [await scene.stream('gorse'), await scene.stream('flint', closed)]
  const names = [gorse.name, flint.name]

  await expectSame(scene, () =>
    allAtOnce(
      [1, 2, 3].flatMap((round) => [
        changeRole(owner, [mia, lara], round === 2 ? Role.guest : Role.member),
        changeRole(owner, [nora], round === 2 ? Role.member : Role.administrator),
        changeRole(owner, [gus, gil], round === 2 ? Role.member : Role.guest),
        changeRole(owner, [robin], round === 2 ? Role.administrator : Role.member),
        owner.on('b').users.deactivate({ user_id: rosa.user_id }),
        owner.on('a').users.reactivate({ user_id: rosa.user_id }),
        subscribe(ada, names, [mia, nora, gil, gwen]),
        unsubscribe(owner, names, [mia, nora, gus]),
        ada.on('b').streams.update({ stream_id: gorse.stream_id, is_private: round !== 2 }),
        ada.streams.update({ stream_id: flint.stream_id, is_private: round === 2 }),
        subscribe(mia, [`fresh ${round}`], [mia, lara, gus], round === 2 ? closed : {}),
        lara.subscriptions.muteTopic({ stream_id: gorse.stream_id, topic: `topic ${round}`, op: 'add' }),
        owner.streams.update({ stream_id: flint.stream_id, new_name: `flint ${round}` }),
      ]),
    ),
  )

  await expectSame(scene, async () => {
    await changeRole(owner, [mia, lara, nora, robin], Role.member)
    await changeRole(owner, [gus, gil], Role.guest)
    for (const { user_id } of [rosa, thorn]) await owner.users.reactivate({ user_id })
  })
})

test('after streams are created, left and archived concurrently, a state updated by events equals a fresh state', async () => {
  const heath = await scene.stream('heath')
  const inlet = await scene.stream('inlet', closed)

  await expectSame(scene, () =>
    allAtOnce([
      ...[1, 2, 3].flatMap((round) => [
        subscribe(mia, ['jade', 'kelp'], [mia, gus]),
        lara.on('b').subscriptions.subscribe({ subscriptions: [{ name: 'Kelp' }, { name: 'jade' }] }),
        subscribe(nora, [`lake ${round}`], [nora, gwen], closed),
        unsubscribe(owner, ['jade'], [mia, gus, lara]),
      ]),
      owner.streams.archive({ stream_id: heath.stream_id }),
      ada.on('b').streams.archive({ stream_id: inlet.stream_id }),
      ...[mia, gus, ada].map((person) => unsubscribe(person, [inlet.name])),
      subscribe(ada, [inlet.name, heath.name], [nora, gil]),
      ada.streams.update({ stream_id: heath.stream_id, is_private: true }),
      world.person('newcomer'),
      ada.defaultStreams.add({ stream_id: heath.stream_id }),
      ada.on('b').defaultStreams.createGroup({
        group_name: 'Water',
        description: '',
        stream_names: [heath.name],
      }),
    ]),
  )
})
