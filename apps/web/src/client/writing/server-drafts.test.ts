import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listTexts, roses, send, startDraftServer, stream, write } from '../../../test/draft-server.ts'
import { connection } from '../connection.ts'
import { targetKey } from '../conversations/target.ts'
import { addDrafts, changeDraft, listDrafts, removedCopies } from './drafts.ts'

test('a draft is stored five seconds after its last change, and removed as soon as it is sent', async (t) => {
  const server = startDraftServer(t)
  write(roses, 'Prune')
  await server.pause()
  await server.deliver()
  assert.deepEqual(server.texts(), ['Prune'])
  write(roses, 'Prune the roses')
  await server.pause()
  await server.deliver()
  assert.deepEqual(server.texts(), ['Prune the roses'])
  send(roses)
  await server.deliver()
  assert.deepEqual(server.texts(), [])
  assert.equal(removedCopies.value.size, 0)
})

test('a draft keeps its place while its topic is typed, and does not return after it is sent', async (t) => {
  const server = startDraftServer(t)
  changeDraft(stream, { topic: 'ro', content: 'Prune' })
  await server.pause()
  await server.deliver()
  changeDraft(stream, { topic: 'roses' })
  await server.pause()
  await server.deliver()
  assert.deepEqual(
    [...server.copies.values()].map(({ topic, content }) => [topic, content]),
    [['roses', 'Prune']],
  )
  assert.deepEqual(
    listDrafts.value.map(({ key }) => key),
    ['stream/12/new'],
  )
  changeDraft(stream, { topic: '', content: '' })
  await server.deliver()
  assert.deepEqual([listTexts(), server.texts()], [[], []])
})

test('a text that is begun while an earlier one is stored and sent has a separate copy', async (t) => {
  const server = startDraftServer(t)
  const release = server.holdResponses()
  write(roses, 'Prune')
  await server.pause()
  send(roses)
  write(roses, 'Next')
  await server.deliver()
  await release()
  assert.deepEqual(server.texts(), [])
  await server.pause()
  await server.deliver()
  assert.deepEqual([listTexts(), server.texts()], [['Next'], ['Next']])
})

test('a draft whose copy is missing when it is changed is stored again', async (t) => {
  const server = startDraftServer(t)
  write(roses, 'Prune')
  await server.pause()
  await server.deliver()
  server.copies.clear()
  write(roses, 'Prune more')
  await server.pause()
  await server.pause()
  await server.deliver()
  assert.deepEqual([listTexts(), server.texts()], [['Prune more'], ['Prune more']])
})

test('a text that is begun within five seconds after another was sent is stored', async (t) => {
  const server = startDraftServer(t)
  write(roses, 'Prune')
  await server.pause()
  await server.deliver()
  send(roses)
  write(roses, 'Next')
  await server.pause()
  await server.deliver()
  assert.deepEqual([listTexts(), server.texts()], [['Next'], ['Next']])
})

test('a draft of the server that is continued at once is stored with its changes', async (t) => {
  const server = startDraftServer(t)
  await server.changeElsewhere(server.nextId(), {
    type: 'stream',
    to: [12],
    topic: 'roses',
    content: 'Prune',
    timestamp: 0,
  })
  server.tick(1)
  write(roses, 'Prune the roses')
  await server.pause()
  assert.deepEqual(server.texts(), ['Prune the roses'])
})

test('drafts are stored when the connection returns', async (t) => {
  const server = startDraftServer(t)
  connection.value = { status: 'troubled', since: 0, retryAt: 0 }
  write(roses, 'Prune')
  await server.pause()
  assert.deepEqual(server.texts(), [])
  connection.value = { status: 'live' }
  await server.pause()
  assert.deepEqual(server.texts(), ['Prune'])
})

test('a stored draft disappears if its copy was removed while no page was open', async (t) => {
  const server = startDraftServer(t)
  const key = targetKey(roses)
  const stored = { target: roses, content: 'Prune', topic: '', changed_at: 0, saved_at: 0 }
  addDrafts(new Map([[key, { ...stored, server_id: server.nextId() }]]))
  await server.pause()
  assert.deepEqual(listTexts(), [])
})

test('a stored draft whose copy is not listed yet is kept', async (t) => {
  const server = startDraftServer(t)
  write(roses, 'Prune')
  await server.pause()
  await server.pause()
  await server.deliver()
  assert.deepEqual([listTexts(), server.texts()], [['Prune'], ['Prune']])
})

test('a text that is sent after the response for its copy was lost does not return', async (t) => {
  const server = startDraftServer(t)
  const restore = server.loseResponses()
  write(roses, 'Prune')
  await server.pause()
  send(roses)
  await server.deliver()
  assert.deepEqual(listTexts(), [])
  restore()
  await server.pause()
  await server.deliver()
  assert.deepEqual([listTexts(), server.texts()], [[], []])
})
