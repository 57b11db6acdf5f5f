import assert from 'node:assert/strict'
import { Role } from '@oxbow/contract'
import { type MadeStream, type Person, request, startWorld, type World } from '@oxbow/testkit'
import { ownPage } from '@oxbow/testkit/calls/joining'
import type { Address, Viewer } from './visible-addresses.ts'

export interface Scene extends AsyncDisposable {
  world: World
  /** Users whose responses are checked, with their role at the start. */
  watchers: readonly { person: Person; viewer: Viewer }[]
  /** A user whose role changes. */
  climber: Person
  /** A user whose address changes. */
  mover: Person
  /** A deactivated user. */
  gone: Person
  garden: MadeStream
  /** Real addresses of all people, current and former. Addresses of bots are visible to everyone. */
  addresses: Address[]
}

export async function setScene(): Promise<Scene> {
  const world = await startWorld()
  const { owner } = world
  const administrator = await world.person('ada-admin', 'administrator')
  const member = await world.person('mia-member')
  const guest = await world.person('gus-guest', 'guest')
  const climber = await world.person('clem-climber')
  const mover = await world.person('mona-mover')
  const gone = await world.person('gone-goner')
  const bot = await world.bot('robin', member)
  const people = [owner, administrator, member, guest, climber, mover, gone]
  const garden = await world.stream('garden', { members: [...people, bot] })
  for (const person of people) {
    const { id } = await person.messages.send({
      type: 'stream',
      to: 'garden',
      topic: 'roses',
      content: 'Pruned.',
    })
    await person.messages.addReaction({ message_id: id, emoji_name: 'tada' })
    await person.messages.send({ type: 'private', to: [member.user_id, guest.user_id], content: 'Watered.' })
  }
  await owner.users.deactivate({ user_id: gone.user_id })
  const roles: [Person, Role][] = [
    [owner, Role.owner],
    [administrator, Role.administrator],
    [member, Role.member],
    [guest, Role.guest],
    [climber, Role.member],
    [bot, Role.member],
  ]
  return {
    world,
    watchers: roles.map(([person, role]) => ({ person, viewer: { user_id: person.user_id, role } })),
    climber,
    mover,
    gone,
    garden,
    addresses: people.map(({ user_id, email }) => ({ user_id, email })),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

let moves = 0
let lastMove = Promise.resolve()

/**
 * Changes the address of `mover`. Calls run one at a time, because confirming one address
 * invalidates the links that confirm others.
 */
export function move(scene: Scene): Promise<void> {
  lastMove = lastMove.then(() => openLink(scene))
  return lastMove
}

/** Confirms a new address, like a click on the link in the e-mail. */
async function openLink({ world, mover, addresses }: Scene): Promise<void> {
  const email = `mona${++moves}@elsewhere.example`
  addresses.push({ user_id: mover.user_id, email })
  const key = `key${String(moves).padStart(21, '0')}`
  const { secrets } = world.nodes.a.app
  const { user_id } = mover
  await world.database.query(
    `insert into email_change (organization_id, user_id, new_email, key_hash, key_sealed, origin)
     values ($1, $2, $3, $4, $5, '')`,
    [
      world.organization_id,
      user_id,
      email,
      secrets.hash(key),
      secrets.seal(key, ['e-mail change', world.organization_id, user_id, email]),
    ],
  )
  const path = `/accounts/confirm_new_email/${key}`
  const response = await request(world.nodes.b.url, { method: 'POST', path, headers: ownPage })
  assert.equal(response.status, 200, response.text)
}
