import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, startFleet, startStopwatch } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

const count = bySize({ gate: 500, long: 5_000 })
const changes = 20

const insertChanges = `
  insert into outbox (organization_id, header, event)
  select $1, '{"type":"realm_user","to":{"roles":"everyone"}}',
    json_build_object('type', 'realm_user', 'op', 'update',
      'person', json_build_object('user_id', $2::int, 'full_name', 'Name ' || n))::text
  from generate_series(1, ${changes}) as n`

test(`${count} queues of a node that dies continue on another node and catch up in under five seconds`, async () => {
  const times: number[] = []
  // Other load on the machine affects the time, so a slow result is measured again.
  while (times.length < 3 && !times.some(isSoonEnough)) times.push(await moveQueues())
  assert.ok(times.some(isSoonEnough), `${times.join(', ')} ms`)
})

const isSoonEnough = (milliseconds: number): boolean => milliseconds < 5000

/** Moves the queues and returns the milliseconds until the last one has caught up. */
async function moveQueues(): Promise<number> {
  await using fleet = await startFleet({ clients: count, perSecond: 0, timeoutMs: 60_000, onOneNode: true })
  const [home] = fleet.nodes
  assert.ok(fleet.clients.every((client) => client.url() === home?.url))
  const before = fleet.clients.map((client) => client.received())

  await using stopwatch = startStopwatch({ query: fleet.query })
  home?.signal('SIGKILL')
  await fleet.query(insertChanges, [fleet.organization_id, fleet.owner.user_id])

  const caughtUp = () =>
    fleet.clients.every((client, index) => client.received() >= (before[index] ?? 0) + changes)
  await eventually(caughtUp)
  const took = Math.round(stopwatch.elapsedMs())
  process.stdout.write(`${count} queues were caught up ${took} ms after their node died\n`)
  const { missing, duplicateEvents, dead, unexplainedErrors } = await fleet.check()
  assert.deepEqual([missing, duplicateEvents, dead, unexplainedErrors], [0, 0, 0, []])
  return took
}
