import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { call } from './refusal.ts'

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
// By address alone nobody can tell who was deactivated, so whoever fetches no users asks for the compact form.
const registrations = [{}, { slim_presence: true }, { fetch_event_types: ['presence'], slim_presence: true }]

/** Returns once it is written. */
async function report(person: Person, status: 'active' | 'idle', client = 'website'): Promise<void> {
  const { status: answered } = await call(world, person, 'POST /users/me/presence', { status, client })
  assert.equal(answered, 200)
}

const same = (change: () => Promise<unknown>) => expectSameState(world, everyone, change, { registrations })

test('who comes, with one program or several, is in the state by the events', async () => {
  const { iris: events } = await same(async () => {
    await report(otto, 'active')
    await report(otto, 'active', 'phone')
    await report(rosa, 'idle')
    await iris.on('b').presence.report({ status: 'active' })
  })

  assert.equal(events?.length, 4)
})

test('who was idle and comes back is active, and was idle before', async () => {
  await same(async () => {
    await report(rosa, 'active')
    await report(rosa, 'active', 'phone')
  })
})

test('who is deactivated is gone, and comes back as someone of whom nothing is known', async () => {
  await same(() => owner.users.deactivate({ user_id: otto.user_id }))
  await same(() => owner.users.reactivate({ user_id: otto.user_id }))
  await same(() => report(otto, 'active'))
})

test('all at once, with someone who is deactivated meanwhile', async () => {
  await same(async () => {
    await Promise.all([
      report(otto, 'active', 'tablet'),
      rosa.presence.report({ status: 'idle' }).catch(() => {}),
      report(everyone.gus, 'active'),
      report(owner, 'active'),
      owner.users.deactivate({ user_id: rosa.user_id }),
    ])
  })
})
