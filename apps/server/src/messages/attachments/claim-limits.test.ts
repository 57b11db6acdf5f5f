import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type MessageId, maxAttachmentMessages, type OrganizationId, Role } from '@oxbow/contract'
import { applyAttachment } from '@oxbow/sdk'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { statusOf, upload } from '@oxbow/testkit/calls/uploads'
import { sql } from 'kysely'
import { canReadUpload } from './access.ts'
import { maxClaimsPerMessage } from './claim-uploads.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const garden = await world.stream('garden', { members: [iris, otto] })
await setOrganizationRules(world, 'allow_message_deleting = true')

const listAttachments = async (person: Person) => (await person.uploads.list()).attachments
const listMessages = (attachments: Awaited<ReturnType<typeof listAttachments>>, uri: string) =>
  attachments.find(({ path_id }) => uri.endsWith(path_id))?.messages.map(({ id }) => id) ?? []
const messagesOf = async (uri: string) => listMessages(await listAttachments(iris), uri)
const uploadMany = (count: number) => Promise.all(Array.from({ length: count }, () => upload(iris)))
const linksTo = (uris: readonly string[]) => uris.map((uri) => `[a](${uri})`).join(' ')

test('GET /attachments and attachment events list the same newest messages of a file', async () => {
  const uri = await upload(iris)
  const queue = await openQueue(iris, { event_types: ['attachment'] })
  const before = await iris.uploads.list()

  const ids: MessageId[] = []
  for (let count = 0; count < maxAttachmentMessages + 5; count++)
    ids.push(await sendPrivately(iris, [otto], linksTo([uri])))
  assert.deepEqual(await messagesOf(uri), ids.slice(5))
  await iris.messages.remove({ message_id: ids.pop() as MessageId })
  assert.deepEqual(await messagesOf(uri), ids.slice(4), 'an older message takes the place')
  await world.settled()

  const events = (await queue.rest('b')).filter((event) => event.type === 'attachment')
  assert.equal(events.length, maxAttachmentMessages + 6)
  assert.deepEqual(events.reduce(applyAttachment, before), await iris.uploads.list())
})

test('messages that the owner of a file may not see do not displace visible ones from its list of messages', async () => {
  const uri = await upload(iris)
  const messageId = await sendPrivately(iris, [otto], linksTo([uri]))
  for (let count = 0; count < maxAttachmentMessages; count++)
    await sendPrivately(otto, [nora], linksTo([uri]))

  assert.deepEqual(await messagesOf(uri), [messageId])
})

test('links beyond the maximum number of claims of a message claim no files', async () => {
  const uris = await uploadMany(maxClaimsPerMessage + 2)
  const message_id = await sendToStream(iris, garden, 'roses', linksTo(uris))
  const claimed = async () => {
    const attachments = await listAttachments(iris)
    return uris.map((uri) => listMessages(attachments, uri).includes(message_id))
  }
  assert.deepEqual(
    await claimed(),
    uris.map((_, index) => index < maxClaimsPerMessage),
  )
  assert.equal(await statusOf(world, otto, uris.at(-1) ?? ''), 403)

  await iris.messages.edit({ message_id, content: linksTo(uris.toReversed()) })

  assert.deepEqual(
    await claimed(),
    uris.map((_, index) => index >= 2),
  )
  assert.equal(await statusOf(world, otto, uris.at(-1) ?? ''), 200)
})

test('the events of a sent message stay small, no matter how many messages refer to its files', async () => {
  const uris = await uploadMany(maxClaimsPerMessage)
  for (let count = 0; count < 100; count++) await sendToStream(iris, garden, 'roses')
  // Claims every file for every message, as if all messages linked to all files.
  await world.database.query(
    `insert into upload_claim (organization_id, upload_id, message_id)
     select u.organization_id, u.id, m.id from upload u
     join message m on m.organization_id = u.organization_id where u.path_id = any($1)`,
    [uris.map((uri) => uri.slice('/user_uploads/'.length))],
  )

  const { iris: events = [] } = await collectEvents(world, { iris }, () =>
    sendToStream(iris, garden, 'roses', linksTo(uris)),
  )

  const updates = events.filter(({ type }) => type === 'attachment')
  assert.equal(updates.length, maxClaimsPerMessage)
  const bytes = JSON.stringify(updates).length
  assert.ok(bytes < 200_000, `${bytes} bytes`)
})

test('the last attachment event lists all messages that were sent concurrently with the same file', async () => {
  for (let round = 0; round < 5; round++) {
    const uri = await upload(iris)
    await sendToStream(iris, garden, 'roses', linksTo([uri]))
    const queue = await openQueue(iris, { event_types: ['attachment'] })
    const before = await iris.uploads.list()
    const senders = [iris, otto, iris.on('b'), otto.on('b'), nora, nora.on('b')]
    await Promise.all(senders.map((sender) => sendToStream(sender, garden, 'roses', linksTo([uri]))))
    await world.settled()

    const events = (await queue.rest('b')).filter((event) => event.type === 'attachment')
    assert.deepEqual(events.reduce(applyAttachment, before), await iris.uploads.list())
  }
})

test('sending messages with too many file links logs no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})

interface PlanNode {
  'Parent Relationship'?: string
  'Actual Loops': number
  Plans?: PlanNode[]
}

/** Returns the total number of times that the subqueries of a query plan ran. */
const countSubqueryRuns = ({ Plans = [], ...node }: PlanNode): number =>
  (node['Parent Relationship'] === 'SubPlan' ? node['Actual Loops'] : 0) +
  Plans.reduce((sum, plan) => sum + countSubqueryRuns(plan), 0)

test('the number of subqueries of a file access check does not grow with the messages that the reader cannot see', async () => {
  const vault = await world.stream('vault', { members: [iris], by: iris, invite_only: true })
  const uri = await upload(iris)
  for (let count = 0; count < 60; count++) await sendToStream(iris, vault, 'roses', linksTo([uri]))
  const reader = { ...nora, organization_id: world.organization_id as OrganizationId, role: Role.member }
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
    explain (analyze, format json) select ${canReadUpload(reader)} from upload u
    where u.path_id = ${uri.slice('/user_uploads/'.length)}`.execute(world.nodes.a.app.db)

  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail()
  // The condition itself is one subquery, and the streams that the reader can reach take three
  // more.
  assert.ok(countSubqueryRuns(plan) <= 4, JSON.stringify(plan))
  assert.equal(await statusOf(world, nora, uri), 403)
})
