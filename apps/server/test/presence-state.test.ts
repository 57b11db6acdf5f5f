import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { call } from '@oxbow/testkit/calls/requests'

// Each test makes changes and asserts that states updated by events equal fresh states.

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const everyone = {
  owner,
  iris,
  gus: await world.person('gus', 'guest'),
  robin: await world.bot('robin', iris),
}
// Clients without users request the compact form, because addresses alone do not show who was
// deactivated.
const registrations = [{}, { slim_presence: true }, { fetch_event_types: ['presence'], slim_presence: true }]

/** Reports presence, and returns once it is written. */
async function report(person: Person, status: 'active' | 'idle', client = 'website'): Promise<void> {
  const { status: responseStatus } = await call(world, person, 'POST /users/me/presence', { status, client })
  assert.equal(responseStatus, 200)
}

const checkState = (change: () => Promise<unknown>) =>
  expectSameState(world, everyone, change, { registrations })

test('users who come online with one or several clients are added to the state by events', async () => {
  const { iris: events } = await checkState(async () => {
    await report(otto, 'active')
    await report(otto, 'active', 'phone')
    await report(rosa, 'idle')
    await iris.on('b').presence.report({ status: 'active' })
  })

  assert.equal(events?.length, 4)
})

test('an idle user who returns is active, and was idle before', async () => {
  await checkState(async () => {
    await report(rosa, 'active')
    await report(rosa, 'active', 'phone')
  })
})

test('a deactivated user has no presence, even after reactivation', async () => {
  await checkState(() => owner.users.deactivate({ user_id: otto.user_id }))
  await checkState(() => owner.users.reactivate({ user_id: otto.user_id }))
  await checkState(() => report(otto, 'active'))
})

test('concurrent reports agree with the state while a user is deactivated', async () => {
  await checkState(async () => {
    await Promise.all([
      report(otto, 'active', 'tablet'),
      rosa.presence.report({ status: 'idle' }).catch(() => {}),
      report(everyone.gus, 'active'),
      report(owner, 'active'),
      owner.users.deactivate({ user_id: rosa.user_id }),
    ])
  })
})
