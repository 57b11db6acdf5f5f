import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listTexts, roses, send, startDraftServer, stream, write } from '../../../test/draft-server.ts'
import { changeDraft, draftOf, listDrafts } from './drafts.ts'

test('a change on another device is shown where the topic of the draft is typed', async (t) => {
  const server = startDraftServer(t)
  changeDraft(stream, { topic: 'ro', content: 'Prune' })
  await server.pause()
  await server.changeElsewhere(server.lastId, { topic: 'roses', content: 'Prune them' })
  assert.deepEqual(draftOf(stream).topic, 'roses')
  assert.deepEqual(listTexts(), ['Prune them'])
})

test('a draft whose topic is changed on another device moves to that topic', async (t) => {
  const server = startDraftServer(t)
  write(roses, 'Prune')
  await server.pause()
  await server.deliver()
  await server.changeElsewhere(server.lastId, { topic: 'tulips' })
  assert.deepEqual(
    listDrafts.value.map(({ key }) => key),
    ['stream/12/topic/tulips'],
  )
})

for (const [when, arrivesFirst] of [
  ['before', true],
  ['after', false],
] as const)
  test(`a text that is sent while it is stored does not return, if its event arrives ${when} the response`, async (t) => {
    const server = startDraftServer(t)
    const release = server.holdResponses()
    write(roses, 'Prune')
    await server.pause()
    send(roses)
    if (arrivesFirst) await server.deliver()
    assert.deepEqual(listTexts(), [])
    await release()
    await server.deliver()
    assert.deepEqual([listTexts(), server.texts()], [[], []])
  })

test('drafts of other devices that arrive while a draft is stored are shown after the response', async (t) => {
  const server = startDraftServer(t)
  const release = server.holdResponses()
  write(roses, 'Prune')
  await server.pause()
  await server.changeElsewhere(server.nextId(), {
    type: 'private',
    to: [7],
    topic: '',
    content: 'From the phone',
  })
  await release()
  assert.deepEqual(listTexts().sort(), ['From the phone', 'Prune'])
})

test('a draft that is sent on another device disappears', async (t) => {
  const server = startDraftServer(t)
  write(roses, 'Prune')
  await server.pause()
  await server.deliver()
  server.copies.clear()
  await server.deliver()
  assert.deepEqual(listTexts(), [])
})

test('a draft that is sent on another device before it is known to be stored disappears', async (t) => {
  const server = startDraftServer(t)
  const release = server.holdResponses()
  write(roses, 'Prune')
  await server.pause()
  await server.deliver()
  server.copies.clear()
  await server.deliver()
  await release()
  assert.deepEqual(listTexts(), [])
})

test('a draft that was changed here after it was sent on another device is stored again', async (t) => {
  const server = startDraftServer(t)
  write(roses, 'Prune')
  await server.pause()
  await server.deliver()
  write(roses, 'Prune more')
  server.copies.clear()
  await server.deliver()
  assert.deepEqual(listTexts(), ['Prune more'])
  await server.pause()
  await server.deliver()
  assert.deepEqual([listTexts(), server.texts()], [['Prune more'], ['Prune more']])
})

test('a text that is continued where the clock is behind replaces the version of the device that is ahead', async (t) => {
  const server = startDraftServer(t)
  await server.changeElsewhere(server.nextId(), {
    type: 'stream',
    to: [12],
    topic: 'roses',
    content: 'Prune',
    timestamp: 600,
  })
  write(roses, 'Prune the roses')
  await server.deliver()
  assert.deepEqual(listTexts(), ['Prune the roses'])
  await server.pause()
  await server.deliver()
  assert.deepEqual(listTexts(), ['Prune the roses'])
  const [copy] = server.copies.values()
  assert.equal(copy?.content, 'Prune the roses')
  // The other device has the earlier version with a fraction of its second.
  assert.ok((copy?.timestamp ?? 0) > 600, String(copy?.timestamp))
})
