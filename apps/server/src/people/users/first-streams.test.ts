import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'

test('a new organization has a default stream and a team stream', async () => {
  await using world = await startWorld({ firstStreams: true, notices: true })
  const { owner } = world
  const iris = await world.person('iris')

  const state = await owner.events.register({
    fetch_event_types: ['realm', 'subscription', 'default_streams'],
  })
  const [general, team] = ['general', 'core team'].map((name) =>
    state.subscriptions?.find((subscription) => subscription.name === name),
  )
  assert.deepEqual([general?.invite_only, team?.invite_only], [false, true])
  assert.equal(state.realm_notifications_stream_id, general?.stream_id)
  assert.equal(state.realm_signup_notifications_stream_id, team?.stream_id)
  assert.deepEqual(
    state.realm_default_streams?.map(({ name }) => name),
    ['general'],
  )
  const { subscriptions } = await iris.subscriptions.list()
  assert.deepEqual(
    subscriptions.map(({ name }) => name),
    ['general'],
  )

  const narrow = [{ operator: 'stream', operand: 'core team' }]
  const said = await eventually(async () => {
    const { messages } = await owner.messages.list({ anchor: 'newest', num_before: 9, num_after: 0, narrow })
    return messages.length > 0 && messages
  })
  // The first user is not announced.
  assert.deepEqual(
    said.map(({ subject, flags }) => ({ subject, flags })),
    [{ subject: 'signups', flags: [] }],
  )
  assert.match(said[0]?.content ?? '', /Iris Gardener<\/span> just signed up for Oxbow\. \(total: 2\)/)
})

test('a new user is announced in the sign-up notification stream', async () => {
  await using world = await startWorld({ notices: true })
  const { owner } = world
  const door = await world.stream('door')
  const narrow = [
    { operator: 'stream', operand: 'door' },
    { operator: 'topic', operand: 'signups' },
  ]
  const readAnnouncements = async () => {
    const { messages } = await owner.messages.list({ anchor: 'newest', num_before: 9, num_after: 0, narrow })
    return messages.map(({ content }) => content.replace(/<[^>]+>/g, ''))
  }
  await owner.organization.update({ signup_notifications_stream_id: door.stream_id })
  await owner.users.create({
    email: 'nora@garden.example',
    full_name: 'Nora New',
    password: 'reed 12 heron lake',
  })
  // Separate jobs announce users, so the order is fixed only if the first has ended.
  await eventually(async () => (await readAnnouncements()).length === 1)
  await owner.organization.update({ signup_notifications_stream_id: -1 as never })
  await world.person('quiet')
  await owner.organization.update({ signup_notifications_stream_id: door.stream_id })
  await world.person('late')

  await eventually(async () => (await readAnnouncements()).length >= 2)
  assert.deepEqual(await readAnnouncements(), [
    'Nora New just signed up for Oxbow. (total: 2)',
    'Late Gardener just signed up for Oxbow. (total: 4)',
  ])
})
