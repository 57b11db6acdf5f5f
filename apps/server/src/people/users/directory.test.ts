import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { maxDirectoryRowsPerPiece } from './queries.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const gus = await world.person('gus', 'guest')
const ada = await world.person('ada', 'administrator')
const robin = await world.bot('robin', iris)

test('the directory lists every account of the organization with its flags', async () => {
  await world.addOrganization('hill')
  const nora = await world.person('nora')
  await owner.users.deactivate({ user_id: nora.user_id })
  const { members } = await owner.users.list()
  const expected = members.map((user) => [
    user.user_id,
    user.full_name,
    (user.is_bot ? 1 : 0) +
      (user.is_guest ? 2 : 0) +
      (user.is_admin ? 4 : 0) +
      (user.is_owner ? 8 : 0) +
      (user.is_active ? 0 : 16),
    user.avatar_version,
  ])

  for (const person of [owner, iris, gus, robin])
    assert.deepEqual((await person.users.directory()).people, expected)
  const flags = new Map(expected.map(([id, , flag]) => [id, flag]))
  assert.deepEqual(
    [owner, ada, iris, gus, robin, nora].map(({ user_id }) => flags.get(user_id)),
    [12, 4, 0, 2, 1, 16],
  )
})

test('the directory includes all changes up to its position', async () => {
  const { queue_id, last_event_id } = await iris.events.register({
    event_types: ['realm_user'],
    fetch_event_types: [],
  })
  await owner.users.update({ user_id: gus.user_id, full_name: 'Gus Green' })
  const { events } = await iris.events.poll({ queue_id, last_event_id })
  const renamedAt = events[0]?.id ?? Number.NaN

  const { position, people } = await iris.users.directory()
  assert.ok(position >= renamedAt)
  assert.equal(people.find(([id]) => id === gus.user_id)?.[1], 'Gus Green')
})

test('a directory that is sent in several chunks is complete and sorted', async () => {
  await world.database.query(
    `insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1::bigint, 'villager' || number || '@garden.example', 'Villager ' || number, $2, sha256(($1::bigint || 'v' || number)::bytea), ''
     from generate_series(1, $3) as number`,
    [world.organization_id, Role.member, maxDirectoryRowsPerPiece + 10],
  )
  const { people } = await iris.users.directory()
  const ids = people.map(([id]) => id as number)
  assert.ok(ids.length > maxDirectoryRowsPerPiece + 10)
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  )
})
