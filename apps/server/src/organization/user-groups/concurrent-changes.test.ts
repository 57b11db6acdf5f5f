import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, type Event, type OrganizationId } from '@oxbow/contract'
import { applyEvent } from '@oxbow/sdk'
import { drainQueue, eventually, expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'
import { addMembers, makeGroup, readGroup, removeMembers } from '@oxbow/testkit/calls/user-groups'
import { inTransaction } from '../../platform/database/transaction.ts'
import { deleteMembers, lockGroup } from './queries.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const people = await world.people('iris', 'otto', 'rosa', 'lena', 'nils', 'vera')
const [iris, otto, rosa] = people
const gus = await world.person('gus', 'guest')

/** Returns the error messages of the refused requests. */
async function refusals(attempts: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(attempts)
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return []
    assert.ok(outcome.reason instanceof ApiError, String(outcome.reason))
    return [outcome.reason.body.msg]
  })
}

const on = (person: Person, index: number) => person.on(index % 2 === 0 ? 'a' : 'b')

test('only one of several concurrent requests to create a group with the same name succeeds', async () => {
  const attempts = Array.from({ length: 8 }, (_, index) =>
    on(index % 3 === 0 ? iris : otto, index).userGroups.create({ name: 'Phoenix', description: '' }),
  )

  const refused = await refusals(attempts)

  assert.deepEqual(
    refused,
    Array.from({ length: 7 }, () => "User group 'Phoenix' already exists."),
  )
})

test('only one of several concurrent requests to add the same member succeeds', async () => {
  const id = await makeGroup(iris, 'Owls', iris, otto)
  const attempts = Array.from({ length: 6 }, (_, index) =>
    on(index % 3 === 0 ? iris : otto, index).userGroups.changeMembers({
      user_group_id: id,
      add: [rosa.user_id],
    }),
  )

  const refused = await refusals(attempts)

  assert.deepEqual(
    refused,
    Array.from({ length: 5 }, () => `User ${rosa.user_id} is already a member of this group`),
  )
})

test('concurrent renames cannot swap the names of two groups', async () => {
  const [here, there] = [await makeGroup(iris, 'Here', iris), await makeGroup(iris, 'There', iris)]
  const rename = (id: typeof here, name: string, node: 'a' | 'b') =>
    iris.on(node).userGroups.update({ user_group_id: id, name })

  const refused = await refusals([rename(here, 'There', 'a'), rename(there, 'Here', 'b')])

  assert.equal(refused.length, 2)
  assert.deepEqual(
    [(await readGroup(iris, here))?.name, (await readGroup(iris, there))?.name],
    ['Here', 'There'],
  )
})

test('a request that waits while its actor is removed from the group is refused', async () => {
  const id = await makeGroup(iris, 'Crows', iris, otto)
  const organization_id = world.organization_id as OrganizationId
  const late = await inTransaction(world.nodes.b.app.db, async (tx) => {
    const group = await lockGroup(tx, organization_id, id)
    const attempt = otto.userGroups.update({ user_group_id: id, name: 'Ravens' })
    attempt.catch(() => {})
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from "user_group"%'`
    await eventually(async () => (await world.database.query(waiting)).length > 0)
    assert.ok(group)
    await deleteMembers(tx, group, [otto.user_id])
    return { attempt }
  })

  const notTheirs = 'Only group members and organization administrators can administer this group.'
  await assert.rejects(late.attempt, refusal(notTheirs))
  assert.equal((await readGroup(iris, id))?.name, 'Crows')
})

test('applying the events of concurrent group changes gives the stored state', async () => {
  const everyone = { owner, iris, otto, gus }
  const groups = [await makeGroup(owner, 'Herons', ...people), await makeGroup(owner, 'Storks', ...people)]
  const deeds = (person: Person, index: number): (() => Promise<unknown>)[] =>
    groups.flatMap((id) => [
      () => on(owner, index).userGroups.update({ user_group_id: id, description: `By ${index}` }),
      () => removeMembers(owner, id, person),
      () => addMembers(owner, id, person),
      () => on(person, index).userGroups.update({ user_group_id: id, name: `Birds ${index}` }),
    ])

  await expectSameState(world, everyone, async () => {
    await Promise.all(
      people.map(async (person, index) => {
        for (const deed of deeds(person, index)) await deed().catch(ifRefused)
      }),
    )
    await owner.userGroups.remove({ user_group_id: groups[0] as never })
  })
})

function ifRefused(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

test('a queue registered during group changes gets every event exactly once', async () => {
  const id = await makeGroup(owner, 'Wrens', ...people)
  const changes = (async () => {
    for (let round = 0; round < 10; round++) {
      for (const person of people) await removeMembers(owner, id, person)
      await addMembers(owner, id, ...people)
    }
  })()
  const registration = { fetch_event_types: ['realm_user_groups'], event_types: ['user_group'] }
  const states = []
  for (let count = 0; count < 10; count++)
    states.push(await gus.on(count % 2 ? 'a' : 'b').events.register(registration))
  await changes
  await world.settled()
  const fresh = await gus.events.register(registration)

  for (const state of states) {
    let folded = state
    for (const event of (await drainQueue(gus, state)) as Event[]) {
      assert.ok(event.type === 'user_group')
      const { realm_user_groups: before } = folded
      folded = applyEvent(folded, event)
      assert.notDeepEqual(folded.realm_user_groups, before, 'an event that the state had already')
    }
    assert.deepEqual(folded.realm_user_groups, fresh.realm_user_groups)
  }
})
