import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '@oxbow/contract'
import {
  eventually,
  type NodeName,
  openEventStream,
  openQueue,
  type Person,
  request,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { awaitWithinASecond, repeatIfLate } from '@oxbow/testkit/calls/listening'
import { refusal } from '@oxbow/testkit/calls/requests'

const nodeNames: readonly NodeName[] = ['a', 'b']
const deactivated = refusal('This organization has been deactivated', {
  status: 401,
  code: 'REALM_DEACTIVATED',
})

const someoneWaits = ({ nodes }: World, queue_id: string, node: NodeName) =>
  eventually(() =>
    [...nodes[node].app.events.log.organizations.values()].some(
      ({ queues }) => queues.get(queue_id)?.listener,
    ),
  )

/** Polls for events of this type and returns the outcome of the poll. */
async function waitFor(world: World, person: Person, type: string, node: NodeName) {
  const queue = await openQueue(person, { event_types: [type] })
  const ending = queue.poll({}, node).then(
    (events) => events.map(({ id: _, ...event }) => event),
    ({ status, body }) => ({ status, body }),
  )
  await someoneWaits(world, queue.queue_id, node)
  return { ending }
}

test('waiting polls get the event or end, and all later requests are refused', () =>
  repeatIfLate(async () => {
    await using world = await startWorld({ ownServer: true })
    const [iris] = await world.people('iris')
    const bot = await world.bot('mower', iris)
    const { owner: stranger } = await world.addOrganization('hill')
    const elsewhere = await openQueue(stranger)
    const endings: Promise<unknown>[] = []
    for (const node of nodeNames) {
      for (const person of [iris, bot]) {
        for (const type of ['realm', 'message'])
          endings.push((await waitFor(world, person, type, node)).ending)
      }
    }
    const { queue_id } = await openQueue(iris)
    await using source = await openEventStream(world.nodes.b.url, { credentials: iris, query: { queue_id } })
    await someoneWaits(world, queue_id, 'b')

    await world.owner.organization.deactivate()

    const streaming = (async () => [await source.next(), await source.next()])()
    const [ended, [event, end]] = await awaitWithinASecond(world, [Promise.all(endings), streaming])
    const received = { type: 'realm', op: 'deactivated', realm_id: world.organization_id }
    assert.deepEqual(
      ended,
      Array(4)
        .fill([[received], deactivated])
        .flat(),
    )
    const { id: _, ...streamed } = JSON.parse(event?.data ?? '{}')
    assert.deepEqual(streamed, received)
    assert.match(String(end?.data), /REALM_DEACTIVATED/)

    for (const person of [world.owner, iris, bot]) {
      for (const node of nodeNames) {
        await assert.rejects(person.on(node).users.me(), deactivated)
        await assert.rejects(person.on(node).events.poll({ queue_id }), deactivated)
        await assert.rejects(person.on(node).organization.update({ name: 'Back' }), deactivated)
      }
    }
    await assert.rejects(
      world.anonymous('b').authentication.fetchApiKey({ username: iris.email, password: iris.password }),
      { errorName: 'LOGIN_ORGANIZATION_DEACTIVATED' },
    )
    const page = await request(world.nodes.b.url, { path: `/avatar/${iris.user_id}`, credentials: iris })
    assert.equal(page.status, 401)
    // Other organizations are not affected.
    await stranger.users.updateSettings({ full_name: 'Still Here' })
    assert.equal((await elsewhere.take(1))[0]?.type, 'realm_user')
  }))

test('no account can write after the deactivation, even on nodes with outdated caches', async () => {
  await using world = await startWorld({ ownServer: true })
  const people = await world.people('iris', 'otto', 'fern')
  let isOver = false
  const writing = people.map(async (person, index) => {
    for (let round = 0; ; round++) {
      const subscriptions = [{ name: `stream ${index} ${round}` }]
      try {
        await person.on(round % 2 ? 'a' : 'b').subscriptions.subscribe({ subscriptions })
      } catch (error) {
        assert.equal((error as ApiError).errorName, 'ORGANIZATION_DEACTIVATED')
        if (isOver) return
      }
    }
  })
  await eventually(async () => (await world.database.query('select from stream limit 6')).length === 6)

  await world.owner.organization.deactivate()
  isOver = true

  await Promise.all(writing)
  await world.settled()
  const [last] = await world.database.query<{ records: string }>(
    'select records from event_batch where organization_id = $1 order by last_seq desc limit 1',
    [world.organization_id],
  )
  assert.match(
    JSON.parse(last?.records ?? '[]')
      .at(-1)
      .at(-1),
    /"op":"deactivated"/,
  )
})

test('a reactivated organization is unchanged', async () => {
  await using world = await startWorld({ ownServer: true })
  const iris = await world.person('iris')
  await world.owner.organization.deactivate()
  await world.database.query('update organization set deactivated_at = null')

  for (const node of nodeNames) assert.equal((await iris.on(node).users.me()).user_id, iris.user_id)
})

test('only owners may deactivate the organization, not their bots', async () => {
  await using world = await startWorld({ ownServer: true })
  const denied = refusal('Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
  const administrator = await world.person('ada', 'administrator')
  for (const caller of [administrator, await world.bot('mower', world.owner)])
    await assert.rejects(caller.organization.deactivate(), denied)
})
