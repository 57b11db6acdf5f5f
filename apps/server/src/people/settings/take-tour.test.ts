import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')

const shown = async (person: Person) =>
  (await person.on('b').events.register({ fetch_event_types: ['hotspots'] })).hotspots?.map(
    ({ name }) => name,
  )
const order = ['intro_reply', 'intro_streams', 'intro_topics', 'intro_gear', 'intro_compose']

test('a new user gets one hotspot after another until all are seen', async () => {
  const inbox = await openQueue(iris)
  const [first] = (await iris.events.register({ fetch_event_types: ['hotspots'] })).hotspots ?? []
  assert.deepEqual(Object.keys(first ?? {}), ['name', 'title', 'description', 'delay'])

  for (const [index, hotspot] of order.entries()) {
    assert.deepEqual(await shown(iris), [hotspot])
    await iris.settings.dismissHotspot({ hotspot })
    const [event] = await inbox.take(1)
    assert.ok(event?.type === 'hotspots')
    assert.deepEqual(
      event.hotspots.map(({ name }) => name),
      order.slice(index + 1, index + 2),
    )
  }
  await iris.settings.dismissHotspot({ hotspot: 'intro_reply' })
  await world.settled()
  assert.deepEqual(await inbox.rest(), [])
})

test('a user who finished the tutorial gets no more hotspots', async () => {
  const inbox = await openQueue(otto)

  for (const status of ['started', 'no such status', 'finished', 'finished'])
    await otto.settings.setTutorialStatus({ status })

  assert.deepEqual(
    (await inbox.take(1)).map((event) => event.type === 'hotspots' && event.hotspots),
    [[]],
  )
  assert.deepEqual(await shown(otto), [])
  assert.equal(
    (await call(world, otto, 'POST /users/me/tutorial_status', { status: '"started"' })).status,
    200,
  )
  assert.deepEqual(await shown(otto), ['intro_reply'])
})

test('dismissing an unknown hotspot is refused', async () => {
  for (const hotspot of ['intro_nothing', '"intro_nothing"'])
    assert.deepEqual(
      await call(world, otto, 'POST /users/me/hotspots', { hotspot }),
      refusal('Unknown hotspot: intro_nothing'),
    )
})
