import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role } from '@oxbow/contract'
import { type NodeName, type Person, request, startWorld, type World } from '@oxbow/testkit'

interface QueuedEvent {
  id: number
  type: string
  op?: string
  person?: { full_name?: string; role?: number }
}

/** Inserts an event for these roles into the outbox, as an action does. */
async function insertRoleEvent(
  { database, organization_id }: World,
  roles: number[],
  full_name: string,
): Promise<void> {
  await database.query('insert into outbox (organization_id, header, event) values ($1, $2, $3)', [
    organization_id,
    JSON.stringify({ type: 'realm_user', to: { roles } }),
    JSON.stringify({ type: 'realm_user', op: 'update', person: { user_id: 1, full_name } }),
  ])
}

async function openQueue(world: World, person: Person) {
  const form = { event_types: '["realm_user"]', fetch_event_types: '[]' }
  const { url } = world.nodes.a
  const { body } = await request(url, {
    method: 'POST',
    path: '/api/v1/register',
    credentials: person,
    form,
  })
  let cursor = body.last_event_id as number
  /** Polls until an event matches, and returns all events up to it. */
  return async (node: NodeName, last: (event: QueuedEvent) => boolean): Promise<QueuedEvent[]> => {
    const got: QueuedEvent[] = []
    while (!got.some(last)) {
      const response = await request(world.nodes[node].url, {
        path: '/api/v1/events',
        credentials: person,
        query: { queue_id: body.queue_id as string, last_event_id: String(cursor) },
      })
      assert.equal(response.status, 200, response.text)
      got.push(...(response.body.events as QueuedEvent[]))
      cursor = got.at(-1)?.id ?? cursor
    }
    return got
  }
}

test('a queue that was polled on one node continues on another, also after a role change', async () => {
  await using world = await startWorld()
  const [iris] = await world.people('iris')
  const administrators = [Role.owner, Role.administrator]
  const everyone = Object.values(Role)
  const take = await openQueue(world, iris)
  const isNamed = (name: string) => (event: QueuedEvent) => event.person?.full_name === name
  const named = (events: QueuedEvent[]) => events.flatMap((event) => event.person?.full_name ?? [])

  await insertRoleEvent(world, everyone, 'First')
  assert.deepEqual(named(await take('a', isNamed('First'))), ['First'])
  await insertRoleEvent(world, administrators, 'Not for a member')
  await world.owner.users.update({ user_id: iris.user_id, role: Role.administrator })
  await insertRoleEvent(world, administrators, 'For an administrator')
  await insertRoleEvent(world, everyone, 'Second')

  assert.deepEqual(named(await take('b', isNamed('Second'))), ['For an administrator', 'Second'])

  await world.owner.users.update({ user_id: iris.user_id, role: Role.guest })
  await insertRoleEvent(world, administrators, 'Not for a guest')
  await insertRoleEvent(world, everyone, 'Third')

  assert.deepEqual(named(await take('a', isNamed('Third'))), ['Third'])
})
