import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately } from '@oxbow/testkit/calls/messages'
import { Dice, testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'

// Generated changes of subscriptions, conversations, roles and the setting. After each, the state that guests
// and members built from events equals a new one, and guests see exactly the people of a simple model.

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
await owner.organization.update({ email_address_visibility: 3, guests_see_only_shared_people: true })
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const gus = await world.person('gus', 'guest')
const gil = await world.person('gil', 'guest')
const robin = await world.bot('robin', iris)
const people: Readonly<Record<string, Person>> = { owner, iris, otto, fern, gus, gil, robin }
// Deactivation ends the queues of an account, so its states are not compared.
const nina = await world.person('nina')
const all = [...Object.values(people), nina]
const streams = [
  await world.stream('garden', { members: [owner, gus, iris] }),
  await world.stream('pond', { members: [owner, otto] }),
  await world.stream('shed', { members: [owner, gil, robin], invite_only: true }),
]
const dice = new Dice(testSeed)

const model = {
  isLimited: true,
  guests: new Set<Person>([gus, gil]),
  members: new Map(streams.map(({ name }) => [name, new Set<Person>([owner])])),
  conversations: [] as (readonly Person[])[],
  deactivated: new Set<Person>(),
}
model.members.get('garden')?.add(gus).add(iris)
model.members.get('pond')?.add(otto)
model.members.get('shed')?.add(gil).add(robin)

function listExpected(viewer: Person): UserId[] {
  const groups = [...model.members.values(), ...model.conversations.map((members) => new Set(members))]
  const isLimited = model.isLimited && model.guests.has(viewer)
  const shared = groups.filter((members) => members.has(viewer)).flatMap((members) => [...members])
  const seen = new Set(isLimited ? [viewer, ...shared] : all)
  // The world has no accounts but these.
  return [...seen].map(({ user_id }) => user_id).sort((a, b) => a - b)
}

const actives = () => all.filter((person) => !model.deactivated.has(person))
const movable = [iris, otto, fern, gus, gil, robin, nina]

const steps: Record<string, () => Promise<unknown>> = {
  async subscribe() {
    const { name } = dice.pick(streams)
    const chosen = dice.sample(movable, 2).filter((person) => !model.deactivated.has(person))
    if (chosen.length === 0) return
    for (const person of chosen) model.members.get(name)?.add(person)
    const principals = [...new Set(chosen)].map(({ user_id }) => user_id)
    await owner.subscriptions.subscribe({ subscriptions: [{ name }], principals })
  },
  async unsubscribe() {
    const { name } = dice.pick(streams)
    const chosen = [...new Set(dice.sample(movable, 2))].filter((person) => !model.deactivated.has(person))
    const principals = chosen.map(({ user_id }) => user_id)
    if (principals.length === 0) return
    await owner.subscriptions.unsubscribe({ subscriptions: [name], principals })
    for (const person of chosen) model.members.get(name)?.delete(person)
    // A bot leaves a stream with an owner who loses access to it.
    if (name === 'shed' && chosen.includes(iris)) model.members.get(name)?.delete(robin)
  },
  async write() {
    const sender = dice.pick(actives().filter((person) => !model.guests.has(person)))
    const others = dice.sample(
      actives().filter((person) => person !== sender),
      1 + Math.round(dice.roll()),
    )
    await sendPrivately(sender, others)
    model.conversations.push([sender, ...others])
  },
  async changeRole() {
    const person = dice.pick([gil, fern, otto])
    const isGuest = model.guests.has(person)
    await owner.users.update({ user_id: person.user_id, role: isGuest ? 400 : 600 })
    if (isGuest) model.guests.delete(person)
    else model.guests.add(person)
  },
  async limit() {
    model.isLimited = !model.isLimited
    await owner.organization.update({ guests_see_only_shared_people: model.isLimited })
  },
  async rename() {
    const { user_id } = dice.pick(actives())
    await owner.users.update({ user_id, full_name: `name ${Math.floor(dice.roll() * 1e6)}` })
  },
  async setStatus() {
    const person = dice.pick(actives().filter((person) => person !== robin))
    await person.userStatus.set({ status_text: dice.pick(['at sea', 'in the garden', '']) })
  },
  async deactivate() {
    const { user_id } = nina
    if (model.deactivated.delete(nina)) return owner.users.reactivate({ user_id })
    model.deactivated.add(nina)
    return owner.users.deactivate({ user_id })
  },
}

test('guests see the people whom they share streams and conversations with, in every generated history', async () => {
  const chosen: string[] = []
  for (let round = 0; round < bySize({ gate: 24, long: 300 }); round++) {
    const name = dice.pick(Object.keys(steps))
    chosen.push(name)
    await expectSameState(world, people, async () => steps[name]?.(), {
      registrations: [
        { fetch_event_types: ['realm_user', 'user_status', 'subscription', 'stream', 'realm'] },
      ],
    })
    for (const viewer of [gus, gil, fern]) {
      const { members } = await viewer.users.list({})
      const listed = members.map(({ user_id }) => user_id).sort((a, b) => a - b)
      assert.deepEqual(listed, listExpected(viewer), `${viewer.email} after ${chosen.join(', ')}`)
    }
  }
})
