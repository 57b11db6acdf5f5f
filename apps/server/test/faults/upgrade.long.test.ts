import { test } from 'node:test'
import { eventually, type Fleet, loadPreviousRelease, startFleet } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { assertNoQueueLost } from './assert-delivery.ts'

const skip = bySize<string | false>({
  gate: 'runs in the long lane: it unpacks and bundles the previous release',
  long: false,
})

test('an upgrade node by node under load loses no event, repeats none and uses no id twice', {
  skip,
}, async (t) => {
  const previous = await loadPreviousRelease()
  if (!previous) return t.skip('no release has a tag, and this clone lacks the commit that stands for one')
  await using fleet = await startFleet({ release: previous, env: { OXBOW_DRAIN_SECONDS: '1' } })
  await fleet.waitForEvents()
  const before = await listMigrations(fleet)
  const first = 1 - (await fleet.sequencerIndex())
  const second = 1 - first

  // The first new node migrates, while a node of the previous release numbers the events.
  await fleet.replaceNode(first, { isGraceful: true })
  await fleet.waitForEvents()
  const added = (await listMigrations(fleet)).filter((name) => !before.includes(name))
  process.stdout.write(`previous release ${previous.name}, migrations since: ${added.join(', ') || 'none'}\n`)
  assertNoQueueLost('a new node beside one of the previous release', await fleet.check())

  // A node of the previous release restarts on the migrated database, beside a new node that numbers the events.
  await fleet.replaceNode(second, { release: previous, isGraceful: true })
  await eventually(async () => (await fleet.sequencerIndex()) === first)
  await fleet.waitForEvents()

  // The only new node dies, and the previous release continues on the migrated database alone.
  fleet.nodes[first]?.signal('SIGKILL')
  await fleet.waitForEvents()
  await fleet.replaceNode(first, { release: previous })
  await fleet.waitForEvents()
  assertNoQueueLost('the previous release again, on the new schema', await fleet.check())
  await fleet.replaceNode(first, { isGraceful: true })
  await fleet.waitForEvents()

  await fleet.replaceNode(second, { isGraceful: true })
  await fleet.waitForEvents()
  assertNoQueueLost('all nodes replaced', await fleet.check())
})

async function listMigrations({ query }: Fleet): Promise<string[]> {
  const rows = await query<{ name: string }>('select name from schema_migration order by name')
  return rows.map(({ name }) => name)
}
