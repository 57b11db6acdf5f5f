import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { applyEvent, type State } from '@oxbow/sdk'
import { drainQueue, type Person, startWorld } from '@oxbow/testkit'

const people = 24
const registers = 30

test('a client that registers while others come online gets each of them once, in the state or by an event', async () => {
  await using world = await startWorld()
  const reporters: Person[] = []
  for (let number = 0; number < people; number++) reporters.push(await world.person(`person${number}`))
  const otherPerson = await world.person('other')
  const registration = { fetch_event_types: ['presence'], event_types: ['presence'], slim_presence: true }
  const nodeOf = (number: number) => (number % 2 === 0 ? 'a' : 'b')

  const states: State[] = []
  const registering = (async () => {
    for (let number = 0; number < registers; number++) {
      states.push(await world.owner.on(nodeOf(number)).events.register(registration))
    }
  })()
  await Promise.all(
    reporters.map(async (person, number) => {
      await setTimeout(number * 40)
      await person.on(nodeOf(number)).presence.report({ status: 'active', ping_only: number % 3 > 0 })
    }),
  )
  await registering
  // Each of these reports is written after all other reports of its node. They are of two people, because
  // the reports of one person on two nodes could have different times.
  await Promise.all([
    world.owner.on('a').presence.report({ status: 'idle' }),
    otherPerson.on('b').presence.report({ status: 'idle' }),
  ])
  await world.settled()

  const { presences: now } = await world.owner.events.register(registration)
  assert.equal(Object.keys(now ?? {}).length, people + 2)
  for (const [number, state] of states.entries()) {
    const events = await drainQueue(world.owner.on(nodeOf(number + 1)), state)
    const received = events.map((event) => 'user_id' in event && Number(event.user_id))
    const userIds = Object.keys(state.presences ?? {}).map(Number)
    assert.equal(new Set([...received, ...userIds]).size, received.length + userIds.length, 'nobody twice')
    assert.deepEqual(events.reduce((folded, event) => applyEvent(folded, event), state).presences, now)
  }
})
