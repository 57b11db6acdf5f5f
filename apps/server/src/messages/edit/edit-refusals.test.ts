import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, StreamId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream, setMessageAge } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, ada] })
const shed = await world.stream('shed', { members: [iris] })
const cellar = await world.stream('cellar', { members: [iris, ada], invite_only: true })

const invalid = refusal('Invalid message(s)')
const nowhere = 99_999_999 as StreamId

test('reading, editing or deleting a missing or invisible message, or reading its history, reports the same error', async () => {
  const secret = await sendToStream(iris, cellar, 'plans')
  const inGarden = await sendToStream(iris, garden, 'roses')
  const note = await sendPrivately(iris, [ada])

  for (const [person, message_id] of [
    [iris, 99_999_999 as MessageId],
    [otto, secret],
    [owner, secret],
    [gus, inGarden],
    [otto, note],
    [owner, note],
  ] as const) {
    await assert.rejects(person.messages.getRaw({ message_id }), invalid)
    await assert.rejects(person.messages.history({ message_id }), invalid)
    await assert.rejects(person.messages.edit({ message_id, topic: 'tulips' }), invalid)
    await assert.rejects(person.messages.remove({ message_id }), invalid)
  }
})

test('every reader of a message may fetch its source text', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', '**Pruned.**')

  for (const person of [iris, ada, otto])
    assert.equal((await person.messages.getRaw({ message_id })).raw_content, '**Pruned.**')
})

test('disabled editing refuses every edit before any other check', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  await setOrganizationRules(world, 'allow_message_editing = false')

  const off = refusal('Your organization has turned off message editing')
  await assert.rejects(iris.messages.edit({ message_id, content: 'x' }), off)
  await assert.rejects(owner.messages.edit({ message_id: 1 as MessageId, stream_id: nowhere }), off)

  await setOrganizationRules(world, 'allow_message_editing = true')
})

test('an edit after the time limit is refused', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  const late = refusal('The time limit for editing this message has passed')

  await setMessageAge(world, message_id, 601)
  await iris.messages.edit({ message_id, content: 'x' })
  await setMessageAge(world, message_id, 622)
  await assert.rejects(iris.messages.edit({ message_id, content: 'y' }), late)
  await setMessageAge(world, message_id, 86_400)
  await otto.messages.edit({ message_id, topic: 'tulips' })
  await setMessageAge(world, message_id, 86_422)
  await assert.rejects(otto.messages.edit({ message_id, topic: 'roses' }), late)
  await iris.messages.edit({ message_id, topic: 'roses' })
})

test("a refused move reports the first reason in the protocol's order", async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  const note = await sendPrivately(ada, [iris])
  const hidden = await sendToStream(ada, cellar, 'plans')

  await assert.rejects(
    iris.messages.edit({ message_id, stream_id: nowhere, content: 'x' }),
    refusal("You don't have permission to move this message"),
  )
  const own = await sendToStream(ada, garden, 'roses')
  await assert.rejects(
    ada.messages.edit({ message_id: own, stream_id: nowhere, content: 'x' }),
    refusal('Cannot change message content while changing stream'),
  )
  await assert.rejects(ada.messages.edit({ message_id, stream_id: nowhere }), refusal('Invalid stream id'))
  for (const [moved, stream_id] of [
    [message_id, cellar.stream_id],
    [hidden, garden.stream_id],
    [note, garden.stream_id],
  ] as const)
    await assert.rejects(
      ada.messages.edit({ message_id: moved, stream_id }),
      refusal('Streams must be public'),
    )
  await ada.messages.edit({ message_id, stream_id: shed.stream_id })
})

test('moving a message to an archived stream is refused', async () => {
  const attic = await world.stream('attic', { members: [iris] })
  const message_id = await sendToStream(iris, garden, 'roses')
  await owner.streams.archive({ stream_id: attic.stream_id })

  await assert.rejects(
    ada.messages.edit({ message_id, stream_id: attic.stream_id }),
    refusal('Invalid stream id'),
  )
})

test('edit parameters are accepted in the encodings of existing clients', async () => {
  const id = await sendToStream(iris, garden, 'roses')

  assert.deepEqual(
    await call(world, iris, `PATCH /messages/${id}`, { topic: 'a', subject: 'b' }),
    refusal("Can't decide between 'topic' and 'subject' arguments", {
      code: 'REQUEST_CONFUSING_VAR',
      var_name1: 'topic',
      var_name2: 'subject',
    }),
  )
  const mode = await call(world, iris, `PATCH /messages/${id}`, { topic: 'a', propagate_mode: 'change_some' })
  assert.deepEqual(mode, refusal('Invalid propagate_mode'))
  assert.deepEqual(await call(world, iris, `PATCH /messages/${id}`), refusal('Nothing to change'))
  const { status } = await call(world, iris, `PATCH /messages/${id}`, {
    subject: 'tulips',
    propagate_mode: 'change_all',
  })
  assert.equal(status, 200)
})
