import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { LogCapture, patientLimits, startWorld } from '@oxbow/testkit'
import { sql } from 'kysely'
import { openApp } from '../../node.ts'

test('a node whose new session starts an epoch applies the hole before the session is used', async () => {
  await using world = await startWorld({ ownServer: true })
  await Promise.all(Object.values(world.nodes).map((node) => node.stop()))
  // Nothing else runs on this node, so it cannot learn of the jump in any other way.
  const { app, close } = await openApp(world.nodes.a.app.config, {
    ...patientLimits,
    logTo: new LogCapture(),
  })
  try {
    const id = world.organization_id as OrganizationId
    const organization = await app.events.log.follow(id)
    const before = organization.position
    await world.database.query("update event_log set timeline = 'FFFFFFFF'")

    await app.db.connection().execute(async (first) => {
      await sql`select 1`.execute(first)
      await app.db.connection().execute((second) => sql`select 1`.execute(second))
    })

    const [head] = await world.database.query<{ last_seq: number }>(
      'select last_seq from event_head where organization_id = $1',
      [id],
    )
    assert.ok(Number(head?.last_seq) > before)
    assert.equal(organization.position, Number(head?.last_seq))
    assert.ok(organization.hasMissedEvents(before + 1))
  } finally {
    await close()
  }
})
