import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Role, type UserId } from '@oxbow/contract'
import { applyEvent } from '@oxbow/sdk'
import { drainQueue, eventually, startWorld } from '@oxbow/testkit'

// More people than one transaction tells of begin and cease to be seen by a guest.

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const gus = await world.person('gus', 'guest')
const village = await world.stream('village', { members: [owner] })
const villagers = 1_100
await world.database.query(
  `with account as (
     insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1::bigint, 'villager' || number || '@village.example', 'Villager ' || number, 400,
       sha256(($1::bigint || 'g' || number)::bytea), ''
     from generate_series(1, $2::int) as number returning organization_id, id
   ), setting as (
     insert into user_setting (organization_id, user_id) select organization_id, id from account
   ), role as (
     insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
     select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account
   ), subscribed as (
     insert into subscription (organization_id, user_id, stream_id, is_active, color)
     select organization_id, id, $3::bigint, true, '#c2c2c2' from account
   )
   insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
   select organization_id, id, $3::bigint, nextval('outbox_id'), nextval('message_id') from account`,
  [world.organization_id, villagers, village.stream_id],
)
await owner.organization.update({ email_address_visibility: 3, guests_see_only_shared_people: true })

/** Makes a change, waits until the guest has the events about everyone, and returns its state. */
async function listPeopleAfter(change: () => Promise<unknown>): Promise<UserId[]> {
  const state = await gus.events.register({ fetch_event_types: ['realm_user'] })
  await change()
  return eventually(async () => {
    await world.settled()
    const events = await drainQueue(gus, state)
    const folded = events.reduce((before, event) => applyEvent(before, event), state)
    const fresh = await gus.events.register({ fetch_event_types: ['realm_user'] })
    const [shown, expected] = [folded, fresh].map(({ realm_users = [] }) => realm_users.map(toId))
    return isDeepStrictEqual(shown, expected) && shown
  })
}

const toId = ({ user_id }: { user_id: UserId }): UserId => user_id

/** Returns for how many people the largest record and the largest transaction tell guests of. */
async function measureLargest() {
  const batches = await world.database.query<{ records: string }>(
    'select records::text from event_batch where organization_id = $1',
    [world.organization_id],
  )
  const told = new Map<number, number>()
  for (const [tx, , , , event] of batches.flatMap(({ records }) => JSON.parse(records) as PackedRecord[])) {
    const { type, appeared = [], disappeared = [] } = JSON.parse(event ?? '{}') as ToldOf
    if (type === 'realm_user') told.set(tx, (told.get(tx) ?? 0) + appeared.length + disappeared.length)
  }
  return Math.max(...told.values())
}

type PackedRecord = [tx: number, outboxId: number, eventCount: number, header: object, event: string | null]
interface ToldOf {
  type?: string
  appeared?: readonly UserId[]
  disappeared?: readonly UserId[]
}

test('a guest who joins and leaves a stream learns of more people than one transaction tells of', async () => {
  const joined = await listPeopleAfter(() =>
    owner.subscriptions.subscribe({ subscriptions: [{ name: village.name }], principals: [gus.user_id] }),
  )
  assert.equal(joined.length, villagers + 2)
  const left = await listPeopleAfter(() =>
    owner.subscriptions.unsubscribe({ subscriptions: [village.name], principals: [gus.user_id] }),
  )
  assert.deepEqual(left, [gus.user_id])
})

test('a guest who becomes a member sees everyone, and nobody else again as a guest', async () => {
  const setRole = (role: Role) => owner.users.update({ user_id: gus.user_id, role })
  assert.equal((await listPeopleAfter(() => setRole(Role.member))).length, villagers + 2)
  assert.deepEqual(await listPeopleAfter(() => setRole(Role.guest)), [gus.user_id])
})

test('all guests are told when the setting changes', async () => {
  const limit = (guests_see_only_shared_people: boolean) =>
    owner.organization.update({ guests_see_only_shared_people })
  assert.equal((await listPeopleAfter(() => limit(false))).length, villagers + 2)
  assert.deepEqual(await listPeopleAfter(() => limit(true)), [gus.user_id])
})

test('no transaction tells of more than 1,000 people', async () => {
  const largest = await measureLargest()
  assert.ok(largest > 900 && largest <= 1_001, `${largest} people`)
})
