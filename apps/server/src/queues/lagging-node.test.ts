import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { faults } from '../events/faults.ts'

test("a node that is behind a client's cursor catches up before it responds", async (t) => {
  // All messages of the carrier are dropped, so the node that is not the sequencer reads events up
  // to 0.3 s later.
  faults.dropHints = 1
  t.after(() => {
    faults.dropHints = 0
  })
  await using world = await startWorld({ ownServer: true })
  const iris = await world.person('iris')
  const { queue_id, last_event_id } = await iris.events.register({ fetch_event_types: [] })
  const sequencer = world.nodes.a.app.events.leads ? 'a' : 'b'
  const lagging = sequencer === 'a' ? 'b' : 'a'
  let cursor = last_event_id

  for (let round = 0; round < 5; round++) {
    const waiting = iris.on(sequencer).events.poll({ queue_id, last_event_id: cursor })
    await world.owner.on(sequencer).users.update({ user_id: iris.user_id, full_name: `Iris ${round}` })
    const { events } = await waiting
    cursor = events.at(-1)?.id ?? cursor

    const response = await iris.on(lagging).events.poll({ queue_id, last_event_id: cursor, dont_block: true })
    assert.deepEqual(response.events, [])
  }
  await assert.rejects(iris.on(lagging).events.poll({ queue_id, last_event_id: cursor + 1_000 }), {
    message: `Event ${cursor + 1_000} was not in this queue`,
  })
})
