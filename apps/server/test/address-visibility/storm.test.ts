import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, Role } from '@oxbow/contract'
import { drainQueue, expectSameState, type NodeName, type Person } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { move, type Scene, setScene } from './scene.ts'
import { countAddresses, Timeline, visibility } from './visible-addresses.ts'

const rounds = bySize({ gate: 8, long: 12 })

test('while address visibility changes under live queues, every event shows only what its recipient could see at that event id', async () => {
  await using scene = await setScene()
  const { world, watchers, addresses } = scene
  const { owner } = world
  const { queue_id, last_event_id } = await owner.events.register({ fetch_event_types: [] })
  const followers = await Promise.all(watchers.map(({ person }) => follow(person)))
  const steps = fc.sample(fc.array(step, { minLength: rounds, maxLength: rounds }), {
    seed: testSeed,
    numRuns: 4,
  })

  const states: { user: Person; state: string; value: number; isAdmin: boolean }[] = []
  await Promise.all([
    ...[...steps, allSwitches].map(async (story, index) => {
      for (const step of story) await step(scene, index % 2 ? 'a' : 'b')
    }),
    registerAll(scene, states),
  ])

  await world.settled()
  const log = await drainQueue(owner, { queue_id, last_event_id } as never)
  const timeline = new Timeline(
    log,
    visibility.everyone,
    watchers.map(({ viewer }) => viewer),
  )
  assert.ok(timeline.changes > 2, `${timeline.changes} changes`)
  for (const [index, { viewer }] of watchers.entries()) {
    const received = (await followers[index]?.stop()) ?? []
    assert.ok(received.length > 20, `${received.length} events`)
    for (const event of received) {
      const role = timeline.roleAt(viewer.user_id, event.id)
      const text = JSON.stringify(event)
      countAddresses(text, { ...viewer, role }, timeline.visibilityAt(event.id), addresses, {
        about: 'event',
      })
    }
  }
  // A state includes the visibility setting under which it was read.
  for (const { user, state, value, isAdmin } of states) {
    const viewer = { user_id: user.user_id, role: isAdmin ? Role.administrator : Role.member }
    countAddresses(state, viewer, value, addresses, { about: 'state' })
  }
  assert.ok(states.length > watchers.length)
})

test('states updated by events equal fresh states after all visibility changes', async () => {
  await using scene = await setScene()
  const people = Object.fromEntries(scene.watchers.map(({ person }, index) => [`watcher ${index}`, person]))
  const [story = []] = fc.sample(fc.array(step, { minLength: 15, maxLength: 15 }), 1)
  await expectSameState(scene.world, people, async () => {
    const half = story.length >> 1
    await Promise.all([story.slice(0, half), story.slice(half)].map((part) => run(scene, part)))
  })
})

async function run(scene: Scene, story: readonly Step[]): Promise<void> {
  for (const [index, step] of story.entries()) await step(scene, index % 2 ? 'a' : 'b')
}

type Step = (scene: Scene, node: NodeName) => Promise<unknown>

let count = 0

const switchTo =
  (value: 1 | 3 | 4): Step =>
  ({ world }, node) =>
    world.owner.on(node).organization.update({ email_address_visibility: value })

/**
 * Steps that set the visibility to each value, because random steps alone would do so only once or
 * twice.
 */
const allSwitches = ([4, 3, 1, 4, 1, 3] as const).map(switchTo)

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(1, 3, 4).map((value): Step => switchTo(value as 1 | 3 | 4)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(Role.member, Role.administrator).map(
      (role): Step =>
        ({ world, climber }, node) =>
          world.owner.on(node).users.update({ user_id: climber.user_id, role }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((scene) => move(scene)) },
  { weight: 1, arbitrary: fc.constant<Step>(join) },
  { weight: 1, arbitrary: fc.constant<Step>(reactivateAndDeactivate) },
  { weight: 4, arbitrary: fc.nat(5).map((who): Step => talk(who)) },
)

async function join({ world, addresses }: Scene): Promise<void> {
  const name = `newcomer${++count}`
  const address = { user_id: 0 as never, email: `${name}@garden.example` }
  addresses.push(address)
  address.user_id = (await world.person(name)).user_id as never
}

async function reactivateAndDeactivate({ world, gone: { user_id } }: Scene, node: NodeName): Promise<void> {
  await world.owner.on(node).users.reactivate({ user_id })
  await world.owner.on(node).users.deactivate({ user_id }).catch(ignoreRace)
}

/** Accepts only the error that a concurrent step has already deactivated the user. */
function ignoreRace(error: Error): void {
  assert.match(error.message, /deactivated/)
}

/** Sends, reacts to and edits a stream message, and sends a private message, as one of the watchers. */
function talk(who: number): Step {
  return async ({ watchers, mover, climber }, node) => {
    const person = watchers[who % watchers.length]?.person ?? assert.fail('nobody')
    const client = person.on(node)
    const content = `Said ${++count}.`
    const id = await sendToStream(client, 'garden', 'roses', content)
    await client.messages.addReaction({ message_id: id, emoji_name: 'tada' })
    await client.messages.edit({ message_id: id, content: `${content} And edited.` })
    const to = [mover.user_id, climber.user_id]
    await client.messages.send({ type: 'private', to, content })
  }
}

async function registerAll({ watchers }: Scene, states: object[]): Promise<void> {
  for (let round = 0; round < 4; round++) {
    for (const [index, { person }] of watchers.entries()) {
      const registration = { client_external_avatar: round % 2 === 0 }
      const state = await person.on(index % 2 ? 'a' : 'b').events.register(registration)
      const { realm_email_address_visibility: value, is_admin: isAdmin } = state
      states.push({ user: person, state: JSON.stringify(state), value, isAdmin })
    }
  }
}

/** Polls a queue on alternating nodes until `stop` is called and all events have been received. */
async function follow(person: Person) {
  const { queue_id, last_event_id } = await person.events.register({ fetch_event_types: [] })
  const received: Event[] = []
  const aborter = new AbortController()
  let cursor = last_event_id
  let isOver = false
  const polling = (async () => {
    for (let round = 0; !isOver; round++) {
      const { events } = await person
        .on(round % 2 ? 'a' : 'b')
        .events.poll({ queue_id, last_event_id: cursor }, { signal: aborter.signal })
        .catch((error) => (isOver ? { events: [] } : Promise.reject(error)))
      received.push(...events)
      cursor = events.at(-1)?.id ?? cursor
    }
  })()
  // Prevents an unhandled rejection; `stop` awaits the loop and throws its error.
  polling.catch(() => {})
  return {
    async stop(): Promise<Event[]> {
      isOver = true
      aborter.abort()
      await polling
      received.push(...(await drainQueue(person, { queue_id, last_event_id: cursor } as never)))
      return received
    },
  }
}
