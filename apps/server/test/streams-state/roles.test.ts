import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { expectSameState } from '@oxbow/testkit'
import { changeRole, expectSame, expectSameForAll, setScene, subscribe, unsubscribe } from './scene.ts'

// Each test makes changes and asserts that states updated by events equal fresh states.

const scene = await setScene()
after(() => scene[Symbol.asyncDispose]())
const { world, owner, ada, otis, mia, lara, nora, gus, gil, gwen, robin, rosa, thorn } = scene

const closed = { invite_only: true }

/** Creates streams of all kinds, and users who are, were or never were subscribed, with muted topics. */
before(async () => {
  const [apple, birch] = [await scene.stream('apple'), await scene.stream('birch')]
  const [cave, den] = [await scene.stream('cave', closed), await scene.stream('den', closed)]
  const once = await scene.stream('once public')
  await subscribe(ada, ['empty'])
  await unsubscribe(ada, ['empty'])
  for (const { stream_id } of [apple, cave]) await ada.defaultStreams.add({ stream_id })
  await ada.defaultStreams.createGroup({
    group_name: 'Trees',
    description: '',
    stream_names: [birch.name, den.name],
  })
  for (const person of [owner, otis, ada, mia, lara, nora, robin]) {
    await person.subscriptions.muteTopic({ stream: 'apple', topic: 'worms', op: 'add' })
    await person.subscriptions.muteTopic({ stream: 'birch', topic: 'bark', op: 'add' })
    await person.subscriptions.muteTopic({ stream: 'once public', topic: 'walls', op: 'add' })
  }
  for (const person of [ada, mia, gus])
    await person.subscriptions.muteTopic({ stream: 'cave', topic: 'bats', op: 'add' })
  await ada.streams.update({ stream_id: once.stream_id, is_private: true })
  for (const name of ['gone', 'gone and private']) {
    const { stream_id } = await scene.stream(name, name === 'gone' ? {} : closed)
    await owner.streams.archive({ stream_id })
  }
})

/** Users whose role changes: a subscriber, a former subscriber, and one who never subscribed. */
const members = [mia, lara, nora]
const guests = [gus, gil, gwen]

const steps: [change: string, makeChange: () => Promise<void>][] = [
  ['guests become members', () => changeRole(owner, guests, Role.member)],
  ['members become guests', () => changeRole(owner, [...members, ...guests], Role.guest)],
  ['guests become members again', () => changeRole(owner, members, Role.member)],
  ['members become administrators', () => changeRole(owner, members, Role.administrator)],
  ['administrators become owners', () => changeRole(owner, [...members, ada], Role.owner)],
  ['owners become administrators', () => changeRole(owner, [...members, ada], Role.administrator)],
  ['administrators become members', () => changeRole(owner, [...members, ada, otis], Role.member)],
  ['members become owners', () => changeRole(owner, members, Role.owner)],
  ['owners become members', () => changeRole(owner, members, Role.member)],
  ['two members become administrators', () => changeRole(owner, [ada, otis], Role.administrator)],
  ['administrators become guests', () => changeRole(owner, [ada, otis], Role.guest)],
  [
    'a bot and its owner become administrators',
    async () => {
      for (const role of [Role.member, Role.administrator]) await changeRole(owner, [mia, robin], role)
    },
  ],
  ['a bot that was an administrator becomes a guest', () => changeRole(owner, [robin], Role.guest)],
  ['a bot and its owner become members again', () => changeRole(owner, [robin, mia], Role.member)],
  [
    'a guest becomes a member and an administrator, and a member again',
    async () => {
      for (const role of [Role.member, Role.administrator, Role.member])
        await changeRole(owner, [ada, otis, gwen], role)
    },
  ],
  [
    'all users get their first roles again',
    async () => {
      await changeRole(owner, [ada, otis], Role.administrator)
      await changeRole(owner, [gwen], Role.guest)
    },
  ],
]
for (const [change, makeChange] of steps) {
  test(`after ${change}, a state updated by events equals a fresh state`, async () => {
    await expectSame(scene, makeChange)
  })
}

test('after roles of users change between changes of streams, a state updated by events equals a fresh state', async () => {
  await expectSame(scene, async () => {
    await subscribe(mia, ['elm'], [mia, lara, gus], closed)
    await changeRole(owner, [mia, lara], Role.guest)
    await unsubscribe(mia, ['elm'])
    await changeRole(owner, [lara, nora], Role.administrator).catch(() => {})
    await changeRole(owner, [lara], Role.member)
    await changeRole(owner, [lara], Role.administrator)
    await lara.streams.update({ stream_id: await idOf('elm'), new_name: 'Elm' })
    await changeRole(owner, [lara, mia], Role.member)
  })
})

test('after a user is deactivated with their bots, and all are reactivated, a state updated by events equals a fresh state', async () => {
  const received = await expectSameForAll(scene, () => owner.users.deactivate({ user_id: rosa.user_id }))
  assert.equal(received.gwen?.length, 2)

  await expectSame(scene, () => owner.users.reactivate({ user_id: rosa.user_id }))

  await expectSame(scene, () => owner.users.reactivate({ user_id: thorn.user_id }))
})

test('after a deactivated user gets another role and is reactivated, a state updated by events equals a fresh state', async () => {
  for (const role of [Role.guest, Role.member, Role.administrator, Role.member]) {
    await expectSame(scene, async () => {
      await owner.users.deactivate({ user_id: rosa.user_id })
      await changeRole(owner, [rosa, thorn], role)
      await owner.users.reactivate({ user_id: rosa.user_id })
      await owner.users.reactivate({ user_id: thorn.user_id })
    })
  }
})

test('after streams change while some of their subscribers are deactivated, a state updated by events equals a fresh state', async () => {
  const leaver = await world.person('leaver')
  await subscribe(ada, ['apple', 'cave', 'den'], [leaver])
  await owner.users.deactivate({ user_id: leaver.user_id })

  await expectSame(scene, async () => {
    await subscribe(ada, ['apple', 'cave'], [nora])
    await unsubscribe(ada, ['cave'], [nora, gus])
    await ada.streams.update({ stream_id: await idOf('apple'), is_private: true })
    await ada.streams.update({ stream_id: await idOf('cave'), is_private: false })
    await owner.streams.archive({ stream_id: await idOf('den') })
  })

  await expectSame(scene, () => owner.users.reactivate({ user_id: leaver.user_id }))
})

test('after the last subscriber of streams deactivates their own account, a state updated by events equals a fresh state', async () => {
  const leaver = await world.person('hermit')
  await subscribe(leaver, ['hermitage'])
  await subscribe(leaver, ['cell'], [], closed)

  await expectSame(scene, () => leaver.users.deactivateMe())

  await expectSame(scene, () => subscribe(nora, ['hermitage']))
})

test('after users gain and lose access to more streams than one record can contain, a state updated by events equals a fresh state', async () => {
  const names = Array.from({ length: 70 }, (_, index) => `${index}`)
  for (const prefix of ['row', 'bed', 'plot'])
    await subscribe(
      ada,
      names.map((name) => `${prefix} ${name}`),
      [ada, mia],
    )
  await subscribe(ada, ['secret row'], [ada, mia], closed)
  const people = { nora, gwen }
  const change = (role: Role) => () => changeRole(owner, Object.values(people), role)

  for (const role of [Role.guest, Role.member, Role.administrator, Role.guest])
    await expectSameState(world, people, change(role))
})

async function idOf(name: string) {
  const { streams } = await owner.streams.list({ include_all_active: true })
  const found = streams.find((stream) => stream.name === name)
  assert.ok(found, name)
  return found.stream_id
}
