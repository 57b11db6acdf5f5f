import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { applyAttachment } from '@oxbow/sdk'
import { eventually, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { readMessages, sendPrivately, sendToStream, setMessageAge } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { listScheduled, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { fetchFile, statusOf, upload } from '@oxbow/testkit/calls/uploads'
import { deliverNow } from '../scheduled/test/deliver-now.ts'
import { deleteOldMessages } from '../upkeep/retention.ts'
import { expireUploads } from '../uploads/remove-files.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const gus = await world.person('gus', 'guest')
const { owner } = world
await setOrganizationRules(world, 'allow_message_deleting = true')

let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })
const everyone = { iris, otto, nora, gus }
/** Returns the names of the users who can download the file. */
const readersOf = async (uri: string) => {
  const names: string[] = []
  for (const [name, person] of Object.entries(everyone))
    if ((await statusOf(world, person, uri)) === 200) names.push(name)
  return names
}
const attachmentOf = async (person: Person, uri: string) =>
  (await person.uploads.list()).attachments.find(({ path_id }) => uri.endsWith(path_id))
const messagesOf = async (person: Person, uri: string) =>
  (await attachmentOf(person, uri))?.messages.map(({ id }) => id)
const hasAttachment = async (person: Person, id: MessageId) =>
  (await readMessages(person, { has: 'attachment' })).some((message) => message.id === id)
const withoutIds = (events: readonly Event[] = []) => events.map(({ id: _, ...event }) => event)

test('a file can be read by its owner and by users who can see a message that links to it', async () => {
  const uri = await upload(iris)
  assert.deepEqual(await readersOf(uri), ['iris'])

  const id = await sendPrivately(iris, [otto], `see [notes](${uri})`)
  assert.deepEqual(await readersOf(uri), ['iris', 'otto'])
  assert.deepEqual(await messagesOf(iris, uri), [id])
  assert.ok((await hasAttachment(iris, id)) && (await hasAttachment(otto, id)))

  const garden = await newStream([otto, gus])
  const quoted = await sendToStream(otto, garden, 'roses', `\`\`\`quote\n[notes](${uri})\n\`\`\``)
  assert.deepEqual(await readersOf(uri), ['iris', 'otto', 'nora', 'gus'])
  assert.deepEqual(await messagesOf(iris, uri), [id, quoted])
})

test('users who join a private stream gain access to its files, and users who leave lose it', async () => {
  const vault = await newStream([iris, otto], {
    by: iris,
    invite_only: true,
    history_public_to_subscribers: true,
  })
  const uri = await upload(iris)
  const id = await sendToStream(iris, vault, 'plans', `[plan](${uri})`)
  assert.deepEqual(await readersOf(uri), ['iris', 'otto'])

  await iris.subscriptions.subscribe({
    subscriptions: [{ name: vault.name }],
    principals: [nora.user_id, gus.user_id],
  })
  assert.deepEqual(await readersOf(uri), ['iris', 'otto', 'nora', 'gus'])
  for (const person of [otto, gus]) await person.subscriptions.unsubscribe({ subscriptions: [vault.name] })
  // Otto received the message before he left, so he can read it until it is edited.
  assert.deepEqual(await readersOf(uri), ['iris', 'otto', 'nora'])
  await iris.messages.edit({ message_id: id, content: `[the plan](${uri})` })
  assert.deepEqual(await readersOf(uri), ['iris', 'nora'])
})

test('links in code and links to files that the sender may not read claim nothing', async () => {
  const garden = await newStream([iris, otto, nora])
  const uri = await upload(iris)
  const inCode = await sendToStream(iris, garden, 'roses', `\`${uri}\` and\n\`\`\`\n[x](${uri})\n\`\`\``)
  const stolen = await sendToStream(otto, garden, 'roses', `[x](${uri})`)

  assert.deepEqual(await readersOf(uri), ['iris'])
  assert.deepEqual(await messagesOf(iris, uri), [])
  for (const id of [inCode, stolen]) assert.ok(!(await hasAttachment(iris, id)))
})

test('several links to one file, absolute or encoded, claim the file once', async () => {
  const uri = await upload(iris, 'Plan für Beete.txt')
  const garden = await newStream([iris, otto])
  const origin = world.nodes.a.url
  const forms = [uri, encodeURI(uri), origin + uri, `${uri}?x=1#top`, `${origin}${encodeURI(uri)}`]
  for (const form of forms) {
    const id = await sendToStream(iris, garden, 'roses', `[a](${form}) [b](${uri}x) [c](${form})`)
    assert.deepEqual((await messagesOf(iris, uri))?.at(-1), id, form)
  }
  const elsewhere = await sendToStream(iris, garden, 'roses', `[a](https://other.example${uri})`)
  assert.ok(!(await messagesOf(iris, uri))?.includes(elsewhere))
})

test('an edit that removes a link releases the file, and an edit that adds a link claims it', async () => {
  const garden = await newStream([iris, otto])
  const uri = await upload(iris)
  const message_id = await sendToStream(iris, garden, 'roses', 'Nothing yet.')
  const edit = (content: string) => iris.messages.edit({ message_id, content })

  await edit(`[notes](${uri})`)
  assert.deepEqual(
    [await readersOf(uri), await hasAttachment(otto, message_id)],
    [['iris', 'otto', 'nora'], true],
  )
  await edit('Gone again.')
  assert.deepEqual([await readersOf(uri), await hasAttachment(otto, message_id)], [['iris'], false])
  assert.deepEqual(await messagesOf(iris, uri), [])
})

test('deleting the last message that links to a file makes the file unreachable for everyone at once', async () => {
  const garden = await newStream([iris, otto])
  const uri = await upload(iris)
  const [, , realm_id_str = '', ...rest] = uri.split('/')
  const first = await sendToStream(iris, garden, 'roses', `[notes](${uri})`)
  const second = await sendPrivately(otto, [nora], `[notes](${uri})`)
  const { url } = await otto.uploads.getTemporaryLink({ realm_id_str, filename: rest.join('/') })
  const used = (await iris.uploads.list()).upload_space_used

  await iris.messages.remove({ message_id: first })
  assert.deepEqual(await readersOf(uri), ['iris', 'otto', 'nora'])
  await otto.messages.remove({ message_id: second })

  assert.deepEqual(await readersOf(uri), [])
  for (const path of [uri, url]) assert.equal(await statusOf(world, iris, path), 404)
  const { attachments, upload_space_used } = await iris.uploads.list()
  assert.ok(attachments.every(({ path_id }) => !uri.endsWith(path_id)))
  assert.equal(upload_space_used, used - 'Water the roses.'.length)
  const key = `uploads/${uri.split('/').slice(2, 5).join('/')}`
  await eventually(async () => !(await world.nodes.a.app.files.stat(key)))
})

test('deleting a topic or expiring messages removes the files that only these messages referred to', async () => {
  const garden = await newStream([iris, otto])
  const [kept, gone] = [await upload(iris), await upload(iris)]
  await sendToStream(iris, garden, 'weeds', `[a](${gone}) [b](${kept})`)
  const stays = await sendToStream(iris, garden, 'roses', `[b](${kept})`)

  await owner.subscriptions.subscribe({ subscriptions: [{ name: garden.name }] })
  await owner.streams.deleteTopic({ stream_id: garden.stream_id, topic_name: 'weeds' })

  assert.equal(await statusOf(world, iris, gone), 404)
  assert.deepEqual(await messagesOf(iris, kept), [stays])

  await setMessageAge(world, stays, 3 * 86_400)
  await world.database.query('update stream set message_retention_days = 2 where id = $1', [garden.stream_id])
  await deleteOldMessages.run(world.nodes.a.app, {})
  assert.equal(await statusOf(world, iris, kept), 404)
})

test('deleting an upload removes the file, and messages keep their links', async () => {
  const garden = await newStream([iris, otto])
  const uri = await upload(iris)
  const id = await sendToStream(iris, garden, 'roses', `[notes](${uri})`)
  const attachment_id = (await attachmentOf(iris, uri))?.id ?? (0 as never)
  const invalid = { errorName: 'INVALID_ATTACHMENT' }
  for (const other of [otto, owner]) await assert.rejects(other.uploads.remove({ attachment_id }), invalid)

  await iris.uploads.remove({ attachment_id })

  await assert.rejects(iris.uploads.remove({ attachment_id }), invalid)
  assert.equal(await statusOf(world, otto, uri), 404)
  assert.ok((await readMessages(otto, { id: String(id) }))[0]?.content.includes(uri))
})

test('the owner alone gets the attachment event, and gets it before the message event', async () => {
  const garden = await newStream([iris, otto])
  const uri = await upload(iris)
  let id = 0
  const events = await collectEvents(world, { iris, otto }, async () => {
    id = await sendToStream(iris, garden, 'roses', `[notes](${uri})`)
  })

  assert.deepEqual(
    events.iris?.map(({ type }) => type),
    ['attachment', 'message', 'stream'],
  )
  assert.deepEqual(
    events.otto?.map(({ type }) => type),
    ['message', 'stream'],
  )
  const attachment = await attachmentOf(iris, uri)
  assert.deepEqual(withoutIds(events.iris)[0], {
    type: 'attachment',
    op: 'update',
    attachment,
    upload_space_used: (await iris.uploads.list()).upload_space_used,
  })
  assert.deepEqual(
    attachment?.messages.map((message) => message.id),
    [id],
  )
})

test('applying attachment events to the list of attachments gives the new list', async () => {
  const garden = await newStream([iris, otto])
  const vault = await newStream([otto, nora], { by: otto, invite_only: true })
  const early = await upload(iris)
  const queue = await openQueue(iris, { event_types: ['attachment'] })
  const before = await iris.uploads.list()

  const [one, two] = [await upload(iris), await upload(iris, 'b.txt')]
  const first = await sendToStream(iris, garden, 'roses', `[a](${one}) [b](${two}) [c](${early})`)
  await sendToStream(otto, garden, 'roses', `[a](${one})`)
  await sendToStream(otto, vault, 'plans', `[a](${one})`)
  await iris.messages.edit({ message_id: first, content: `[a](${one})` })
  await iris.uploads.remove({ attachment_id: (await attachmentOf(iris, two))?.id ?? (0 as never) })
  await iris.messages.remove({ message_id: await sendPrivately(iris, [otto], `[c](${early})`) })
  await iris.messages.remove({ message_id: first })
  await world.settled()

  const events = (await queue.rest('b')).filter((event) => event.type === 'attachment')
  const fold = (list: typeof before, more: typeof events) => more.reduce(applyAttachment, list)
  const now = await iris.on('b').uploads.list()
  assert.deepEqual(fold(before, events), now)
  assert.deepEqual(fold(fold(before, events), events), now)
  // Iris does not see the other message's stream, so that message is not listed.
  assert.equal((await messagesOf(iris, one))?.length, 1)
  assert.ok(events.length > 8)
})

test('an upload that no message refers to is removed after a week', async () => {
  const garden = await newStream([iris, otto])
  const [fresh, old, claimed, released] = [
    await upload(iris),
    await upload(iris),
    await upload(iris),
    await upload(iris),
  ]
  await sendToStream(iris, garden, 'roses', `[notes](${claimed})`)
  const message_id = await sendToStream(iris, garden, 'roses', `[notes](${released})`)
  const age = (uri: string, days: number) =>
    world.database.query(
      `update upload set created_at = now() - make_interval(days => $2),
         unclaimed_since = case when unclaimed_since is not null then now() - make_interval(days => $2) end
       where path_id = $1`,
      [uri.slice('/user_uploads/'.length), days],
    )
  for (const uri of [old, claimed, released]) await age(uri, 8)
  await age(fresh, 6)
  await iris.messages.edit({ message_id, content: 'Released just now.' })
  // A claimed file does not expire even if `unclaimed_since` is wrongly set.
  await world.database.query(
    "update upload set unclaimed_since = now() - interval '8 days' where path_id = $1",
    [claimed.slice('/user_uploads/'.length)],
  )
  const queue = await openQueue(iris, { event_types: ['attachment'] })

  await world.database.query("select graphile_worker.add_job('expire_uploads')")
  await eventually(async () => (await statusOf(world, iris, old)) === 404)

  const statuses = await Promise.all([fresh, claimed, released].map((uri) => statusOf(world, iris, uri)))
  assert.deepEqual(statuses, [200, 200, 200])
  await world.settled()
  assert.deepEqual(
    (await queue.rest()).map((event) => event.type === 'attachment' && event.op),
    ['remove'],
  )
  const key = `uploads/${old.split('/').slice(2, 5).join('/')}`
  await eventually(async () => !(await world.nodes.a.app.files.stat(key)))
})

test('a draft of the owner keeps a file from expiring, and a draft of another user does not', async () => {
  const garden = await newStream([iris, otto])
  const [own, others] = [await upload(iris, 'Plan für Beete.txt'), await upload(iris)]
  const save = async (person: Person, uri: string) => {
    const draft = { type: 'stream', to: [garden.stream_id], topic: 'roses', content: `[notes](${uri})` }
    return (await person.drafts.create({ drafts: [draft as never] })).ids[0] as never
  }
  const draft_id = await save(iris, encodeURI(own))
  await save(otto, others)
  for (const uri of [own, others])
    await iris.messages.remove({ message_id: await sendToStream(iris, garden, 'roses', `[a](${uri})`) })
  assert.deepEqual([await readersOf(own), await readersOf(others)], [['iris'], []])

  const path_id = own.slice('/user_uploads/'.length)
  const age = () =>
    world.database.query("update upload set unclaimed_since = now() - interval '8 days' where path_id = $1", [
      path_id,
    ])
  await age()
  await expireUploads.run(world.nodes.a.app, {})
  await iris.drafts.remove({ draft_id })
  await expireUploads.run(world.nodes.a.app, {})
  assert.equal(await statusOf(world, iris, own), 200, 'the week begins when the draft is gone')
  await age()
  await expireUploads.run(world.nodes.a.app, {})
  assert.equal(await statusOf(world, iris, own), 404)
})

test("a scheduled message keeps its sender's file from expiring, and claims it when it is sent", async () => {
  const garden = await newStream([iris, otto])
  const uri = await upload(iris)
  const content = `[notes](${uri})`
  const id = await schedule(iris, { to: garden.stream_id, content })
  await iris.messages.remove({ message_id: await sendToStream(iris, garden, 'roses', content) })
  assert.deepEqual(await readersOf(uri), ['iris'])

  await deliverNow(world, [id])

  assert.deepEqual(await readersOf(uri), ['iris', 'otto', 'nora'])
  assert.equal((await messagesOf(iris, uri))?.length, 1)
})

test("a reminder claims its author's files when it is delivered", async () => {
  const uri = await upload(iris)
  const others = await upload(otto)
  const content = `[notes](${uri}) [others](${others})`
  const at = { delivery_type: 'remind', deliver_at: '2099-03-20 10:00' } as const
  await iris.messages.send({ type: 'private', to: [iris.user_id], content, ...at })
  const reminder = (await listScheduled(iris)).find((scheduled) => scheduled.content === content)

  await deliverNow(world, [reminder?.scheduled_message_id as never])

  assert.equal((await messagesOf(iris, uri))?.length, 1)
  assert.deepEqual(await messagesOf(otto, others), [])
  await world.database.query(
    "update upload set unclaimed_since = unclaimed_since - interval '8 days' where path_id = $1",
    [uri.slice('/user_uploads/'.length)],
  )
  await expireUploads.run(world.nodes.a.app, {})
  assert.equal(await statusOf(world, iris, uri), 200)
})

test('a job removes the file of an upload that was never finished', async () => {
  const { files } = world.nodes.a.app
  const insert = (path: string, hours: number) =>
    world.database.query(
      `insert into unfinished_upload (path_id, organization_id, started_at)
       values ($1, $2, now() - make_interval(hours => $3))`,
      [path, world.organization_id, hours],
    )
  const paths = ['aa/dead/a.txt', 'bb/alive/b.txt'].map((path) => `${world.organization_id}/${path}`)
  const keys = paths.map((path) => `uploads/${path.slice(0, path.lastIndexOf('/'))}`)
  for (const key of keys) await files.put(key, Buffer.from('x'))
  await insert(paths[0] ?? '', 25)
  await insert(paths[1] ?? '', 11)

  await world.database.query("select graphile_worker.add_job('remove_abandoned_uploads')")

  // The job removes the file before it commits the deletion of the row, so the test waits for the
  // row.
  const list = () =>
    world.database.query<{ path_id: string }>(
      'select path_id from unfinished_upload where organization_id = $1',
      [world.organization_id],
    )
  await eventually(async () => (await list()).length === 1)
  assert.equal((await list())[0]?.path_id, paths[1])
  const stored = await Promise.all(keys.map((key) => files.stat(key)))
  assert.deepEqual(
    stored.map((file) => file !== undefined),
    [false, true],
  )
})

test('sending a message with a file while its last other message is deleted leaves no broken claim', async () => {
  const garden = await newStream([iris, otto])
  const yard = await newStream([iris, otto])
  for (let round = 0; round < 8; round++) {
    const uri = await upload(iris)
    const message_id = await sendToStream(iris, garden, 'roses', `[notes](${uri})`)
    const [sent] = await Promise.all([
      sendToStream(otto.on('b'), yard, 'roses', `[notes](${uri})`),
      iris.messages.remove({ message_id }),
    ])
    // Either the new message claims the file, and the file is readable, or the file was deleted.
    const isClaimed = await hasAttachment(otto, sent)
    assert.equal(await statusOf(world, nora, uri), isClaimed ? 200 : 404)
  }
  const usage = await world.database.query<{ used: string; sum: string }>(
    `select (select bytes from upload_usage where organization_id = $1)::text as used,
       (select sum(size) from upload where organization_id = $1)::text as sum`,
    [world.organization_id],
  )
  assert.equal(usage[0]?.used, usage[0]?.sum)
})

test('requests that claim files log no server errors', async () => {
  assert.deepEqual(world.log.entries(50), [])
  assert.equal((await fetchFile(world, undefined, '/ready')).status, 200)
})
