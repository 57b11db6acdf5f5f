import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { forgetOldPresence } from './forget-old-presence.ts'

test("the job deletes presence reports older than two weeks, except each user's newest", async () => {
  await using world = await startWorld({ ownServer: true })
  const [iris, otto] = await world.people('iris', 'otto')
  await world.database.query(
    `insert into presence (organization_id, user_id, client, active_at)
     select $1, user_id, client, now() - days * interval '1 day'
     from (values ($2::bigint, 'website', 1), ($2, 'phone', 13), ($2, 'tablet', 15), ($3, 'website', 40), ($3, 'phone', 30))
       as report (user_id, client, days)`,
    [world.organization_id, iris.user_id, otto.user_id],
  )

  await forgetOldPresence.run(world.nodes.a.app, {})

  const remaining = await world.database.query(
    'select user_id::int, client from presence order by user_id, client',
  )
  assert.deepEqual(remaining, [
    { user_id: iris.user_id, client: 'phone' },
    { user_id: iris.user_id, client: 'website' },
    { user_id: otto.user_id, client: 'phone' },
  ])
})
