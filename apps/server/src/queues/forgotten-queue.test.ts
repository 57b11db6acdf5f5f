import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OrganizationId, Role } from '@oxbow/contract'
import { eventually, startWorld } from '@oxbow/testkit'
import { recordDatabaseRestore } from '../operators/events.ts'
import { accessQueueToRead } from './access.ts'
import { readEvents } from './read-events.ts'
import { streamEvents } from './stream-events.ts'

test('a request that began before event numbers jumped does not use the detached queue object', async () => {
  await using world = await startWorld({ ownServer: true })
  const iris = await world.person('iris')
  const { app } = world.nodes.a
  const { queue_id } = await iris.events.register({ fetch_event_types: [] })
  const actor = {
    organization_id: world.organization_id as OrganizationId,
    user_id: iris.user_id,
    role: Role.member,
  } as Parameters<typeof accessQueueToRead>[1]
  const { queue, organization } = await accessQueueToRead(app, actor, queue_id)
  const cursor = organization.position

  await recordDatabaseRestore(app.config)
  await eventually(() => organization.position > cursor + 1_000_000)

  // This queue object no longer gets changes of its account, so it must not be read.
  assert.equal(await readEvents(app, organization, queue, cursor), undefined)
  const { signal } = new AbortController()
  const stream = streamEvents({ app, actor, organization, queue, cursor, signal })
  assert.equal((await stream.next()).done, true)
  // The queue is loaded into a new object, which continues from the same cursor.
  await world.stream('beds', { members: [iris] })
  await world.settled()
  const again = await accessQueueToRead(app, actor, queue_id)
  assert.equal((await readEvents(app, organization, again.queue, cursor))?.length, 3)
  // Ending the old object removes neither the new object nor its account.
  organization.endQueue(queue)
  assert.equal(organization.queues.get(queue_id), again.queue)
  assert.equal(organization.accounts.get(iris.user_id), again.queue.account)
})

test('queues of an account loaded before and after a jump share one account object', async () => {
  await using world = await startWorld({ ownServer: true })
  const iris = await world.person('iris')
  const { app } = world.nodes.a
  const organization = await app.events.log.follow(world.organization_id as OrganizationId)

  const before = organization.withAccount(iris.user_id, (account) => account)
  // This is what the node does if numbers jump while the account is still being loaded.
  const { position } = organization
  organization.receive({
    organization_id: organization.id,
    first_seq: position + 1,
    last_seq: position + 1_000_000,
    records: null,
  })
  const afterwards = organization.withAccount(iris.user_id, (account) => account)

  assert.equal(await before, await afterwards)
  assert.equal(organization.accounts.get(iris.user_id), await before)
})
