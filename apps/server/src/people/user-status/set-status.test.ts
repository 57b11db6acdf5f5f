import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')

const statusOf = async (person: Person) =>
  (await owner.on('b').events.register({ fetch_event_types: ['user_status'] })).user_status?.[person.user_id]

test('omitted parts of the status are kept, and the event contains only the given ones', async () => {
  const inbox = await openQueue(otto, { event_types: ['user_status'] })
  const steps: [params: { away?: boolean; status_text?: string }, status: object | undefined][] = [
    [{ away: true }, { away: true }],
    [{ status_text: '  in the garden ' }, { away: true, status_text: 'in the garden' }],
    [{ away: false }, { status_text: 'in the garden' }],
    [
      { away: true, status_text: 'at sea' },
      { away: true, status_text: 'at sea' },
    ],
    [{ status_text: ' ' }, { away: true }],
    [{ away: false, status_text: '' }, undefined],
  ]
  for (const [params, status] of steps) {
    await iris.userStatus.set(params)
    assert.deepEqual(await statusOf(iris), status)
    const [event] = await inbox.take(1)
    const received = { ...params, ...(params.status_text && { status_text: params.status_text.trim() }) }
    if (params.status_text?.trim() === '') received.status_text = ''
    assert.deepEqual(event, { id: event?.id, type: 'user_status', user_id: iris.user_id, ...received })
  }
})

test('setting the same status emits no event', async () => {
  await otto.userStatus.set({ away: true, status_text: 'reading' })
  await world.settled()
  const inbox = await openQueue(iris, { event_types: ['user_status'] })

  await otto.userStatus.set({ away: true })
  await otto.userStatus.set({ status_text: ' reading' })
  await otto.userStatus.set({ away: true, status_text: 'reading' })

  await world.settled()
  assert.deepEqual(await inbox.rest(), [])
})

test('a request without a status or with more than sixty characters is refused', async () => {
  const path = 'POST /users/me/status'
  assert.deepEqual(await call(world, iris, path), refusal('Client did not pass any new values.'))
  const long = refusal('status_text is too long (limit: 60 characters)')
  // Characters are counted before white space is trimmed.
  for (const status_text of ['x'.repeat(61), `${'x'.repeat(60)} `, '🌹'.repeat(61)])
    assert.deepEqual(await call(world, iris, path, { status_text }), long)
  assert.deepEqual(
    await call(world, iris, path, { away: 'yes' }),
    refusal('Argument "away" is not valid JSON.'),
  )
  assert.deepEqual(await call(world, iris, path, { away: '"yes"' }), refusal('away is not a boolean'))
  await iris.userStatus.set({ status_text: '🌹'.repeat(60) })
  assert.deepEqual(await statusOf(iris), { status_text: '🌹'.repeat(60) })
})

test('deactivation deletes the status, and reactivation does not restore it', async () => {
  const rosa = await world.person('rosa')
  await rosa.userStatus.set({ away: true, status_text: 'gone' })

  await owner.users.deactivate({ user_id: rosa.user_id })
  assert.equal(await statusOf(rosa), undefined)

  await owner.users.reactivate({ user_id: rosa.user_id })
  assert.equal(await statusOf(rosa), undefined)
})

test('after concurrent changes the stored status equals the last event', async () => {
  const fern = await world.person('fern')
  const inbox = await openQueue(otto, { event_types: ['user_status'] })

  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      fern.on(index % 2 ? 'a' : 'b').userStatus.set({ status_text: `text ${index}` }),
    ),
  )

  const last = (await inbox.take(10)).at(-1)
  assert.deepEqual(await statusOf(fern), { status_text: last && 'status_text' in last && last.status_text })
})
