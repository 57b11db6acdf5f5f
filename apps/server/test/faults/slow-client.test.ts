import { test } from 'node:test'
import { startFleet } from '@oxbow/testkit'
import { assertNoQueueLost } from './assert-delivery.ts'

const burst = `
  insert into outbox (organization_id, header, event)
  select $1, '{"type":"realm_user","to":{"roles":"everyone"}}',
    json_build_object('type', 'realm_user', 'op', 'update',
      'person', json_build_object('user_id', $2::int, 'full_name', 'Name ' || n || repeat(' and so on', 400)))::text
  from generate_series(1, 250) as n`

test("a client that pauses while the log outgrows the node's memory gets all events later", async () => {
  await using fleet = await startFleet({ env: { OXBOW_RECENT_EVENTS_MB: '1' } })
  await fleet.waitForEvents()
  const still = fleet.clients.filter((_, index) => index % 10 === 0)
  for (const client of still) client.pause()
  // The burst has far more events than a node keeps in memory.
  await fleet.query(burst, [fleet.organization_id, fleet.owner.user_id])
  await fleet.waitForEvents(250)

  for (const client of still) client.resume()

  await fleet.waitForEvents()
  assertNoQueueLost('clients that stood still', await fleet.check())
})
