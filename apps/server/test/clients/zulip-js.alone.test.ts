import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { eventually, startWorld } from '@oxbow/testkit'

/** Calls every function of the published JavaScript library zulip-js against a node. */

type ResponseBody = Record<string, unknown>
/** The library has no type declarations. */
type Library = { [name: string]: Library } & ((args?: unknown, ...more: unknown[]) => Promise<ResponseBody>)
const library = createRequire(import.meta.url)
const zulip = library('zulip-js') as (config: object) => Promise<Library>

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const realm = world.nodes.a.url
const { email: username, api_key: apiKey } = iris
const client = await zulip({ realm, username, apiKey })
const garden = await world.stream('garden', { members: [iris, otto] })

const called = new Set<string>()
/** Calls a function of the library by its name, like `messages.flags.add`, and expects success. */
async function use(name: string, ...args: unknown[]): Promise<ResponseBody> {
  const response = await call(name, ...args)
  assert.equal(response.result, 'success', `${name}: ${JSON.stringify(response)}`)
  return response
}

async function call(name: string, ...args: unknown[]): Promise<ResponseBody> {
  called.add(name)
  let found = client
  for (const part of name.split('.')) found = found[part] as Library
  return found(...args)
}

const sendWithLibrary = async (content = 'Pruned.') => {
  const { id } = await use('messages.send', { type: 'stream', to: 'garden', topic: 'roses', content })
  return id as number
}

test('zulip-js signs in by password, by key and by a configuration file', async (t) => {
  const { api_key } = await use('accounts.retrieve').catch(() => ({ api_key: undefined }))
  assert.equal(api_key, undefined, 'this client has no password')
  const byPassword = await zulip({ realm, username, password: iris.password })
  assert.equal((byPassword.config as unknown as { apiKey: string }).apiKey, apiKey)

  const folder = await mkdtemp(join(tmpdir(), 'zuliprc-'))
  t.after(() => rm(folder, { recursive: true }))
  const zuliprc = join(folder, 'zuliprc')
  await writeFile(zuliprc, `[api]\nemail=${username}\nkey=${apiKey}\nsite=${realm}\n`)
  const byFile = await zulip({ zuliprc })
  const profile = await (byFile.callEndpoint as Library)('users/me')
  assert.equal(profile.email, username)
})

test('zulip-js reads the server, its users and the organization', async () => {
  const settings = await use('server.settings')
  assert.equal(settings.realm_uri, realm)
  assert.ok(!Object.keys(settings).some((name) => name.startsWith('zulip')), 'it does not need older names')
  assert.equal((await use('users.me.getProfile')).user_id, iris.user_id)
  assert.ok(((await use('users.retrieve')).members as unknown[]).length >= 3)
  await use('users.retrieve', { client_gravatar: true })
  await use('emojis.retrieve')
  await use('filters.retrieve')
  await use('users.me.alertWords.retrieve')
  const made = await call('users.create', { email: 'new@garden.example', password: 'x', full_name: 'New' })
  assert.equal(made.code, 'UNAUTHORIZED_PRINCIPAL')
  for (const name of ['users.me.pointer.retrieve', 'users.me.pointer.update'])
    assert.equal((await call(name, 5)).code, 'NOT_FOUND', 'pointers are gone at this level')
})

test('zulip-js reads and changes streams and subscriptions', async () => {
  const streams = (await use('streams.retrieve')).streams as { name: string }[]
  assert.ok(streams.some(({ name }) => name === 'garden'))
  assert.equal((await use('streams.getStreamId', 'garden')).stream_id, garden.stream_id)
  const subscriptions = JSON.stringify([{ name: 'pond' }])
  await use('users.me.subscriptions.add', { subscriptions })
  const mine = (await use('streams.subscriptions.retrieve')).subscriptions as { name: string }[]
  assert.ok(mine.some(({ name }) => name === 'pond'))
  await use('users.me.subscriptions.remove', { subscriptions: JSON.stringify(['pond']) })
  await sendWithLibrary()
  const { topics } = await use('streams.topics.retrieve', { stream_id: garden.stream_id })
  assert.deepEqual(
    (topics as { name: string }[]).map(({ name }) => name),
    ['roses'],
  )
  const { code } = await call('streams.deleteById', { stream_id: garden.stream_id })
  assert.notEqual(code, undefined, 'iris is not an administrator')
})

test('zulip-js sends, finds, edits, flags, reacts to and deletes messages', async () => {
  const message_id = await sendWithLibrary('**Pruned.**')
  const page = { anchor: message_id, num_before: 0, num_after: 0 }
  const narrow = [{ operator: 'stream', operand: 'garden' }]
  const { messages } = await use('messages.retrieve', { ...page, narrow })
  assert.deepEqual(
    (messages as { content: string }[]).map(({ content }) => content),
    ['<p><strong>Pruned.</strong></p>'],
  )
  assert.equal((await use('messages.render', 'a **b**')).rendered, '<p>a <strong>b</strong></p>')
  await use('messages.update', { message_id, content: 'Cut.' })
  assert.equal((await use('messages.getById', { message_id })).raw_content, 'Cut.')
  assert.equal(((await use('messages.getHistoryById', { message_id })).message_history as []).length, 2)
  await use('messages.flags.add', { messages: [message_id], flag: 'starred' })
  await use('messages.flags.remove', { messages: [message_id], flag: 'starred' })
  const thumb = { message_id, emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }
  await use('reactions.add', thumb)
  await use('reactions.remove', thumb)
  await use('reactions.add', thumb)
  await use('messages.deleteReactionById', thumb)
  assert.notEqual((await call('messages.deleteById', { message_id })).result, undefined)
  await use('messages.send', { type: 'private', to: otto.email, content: 'Psst.' })
  await use('messages.send', { type: 'direct', to: [otto.user_id], content: 'Psst.' })
  for (const to of [[otto.user_id], [otto.user_id, iris.user_id], [otto.email], otto.email])
    await use('typing.send', { op: 'start', to })
  await use('callEndpoint', 'messages/render', 'POST', { content: 'x' })
})

test('zulip-js opens, reads and closes queues', async () => {
  // Without parameters, the library sends a multipart form with an empty body.
  await use('queues.register', {})
  const { queue_id, last_event_id } = await use('queues.register', { event_types: ['message'] })
  const id = await sendWithLibrary('For the queue')
  await world.settled()
  const { events } = await use('events.retrieve', { queue_id, last_event_id, dont_block: true })
  const ids = (events as { message: { id: number } }[]).map(({ message }) => message.id)
  assert.deepEqual(ids, [id])
  await use('queues.deregister', { queue_id })
})

test('callOnEachEvent follows events of all types, or of selected types', async () => {
  called.add('callOnEachEvent')
  // The function never returns, so it runs in a worker that can be terminated.
  const program = `
    const { workerData, parentPort } = require('node:worker_threads')
    const zulip = require(workerData.library)
    zulip(workerData.config).then((client) =>
      client.callOnEachEvent((event) => parentPort.postMessage(event), workerData.types))`
  for (const types of [undefined, ['message']]) {
    const events: { type: string; message?: { content: string } }[] = []
    const workerData = { library: library.resolve('zulip-js'), config: { realm, username, apiKey }, types }
    const worker = new Worker(program, { eval: true, workerData })
    worker.on('message', (event) => events.push(event))
    const content = `Followed ${types}`
    // The first event shows that the queue is open.
    await eventually(async () => {
      await sendWithLibrary(content)
      return events.some(({ message }) => message?.content.includes(content))
    })
    await worker.terminate()
  }
})

test('the tests above call every function of the library', () => {
  const names = (found: Library, before = ''): string[] =>
    Object.entries(found).flatMap(([name, value]) =>
      typeof value === 'function' ? [before + name] : names(value, `${before}${name}.`),
    )
  const { config: _, ...functions } = client
  assert.deepEqual(new Set(called), new Set(names(functions as unknown as Library)))
})
