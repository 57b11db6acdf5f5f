import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type OrganizationId, Role, type StreamId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { listMembers, listMembersAt, listVacantStreams } from './queries.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const organization_id = world.organization_id as OrganizationId
const { db } = world.nodes.a.app

const newestOutboxId = async () => {
  const [row] = await world.database.query<{ id: number }>('select last_value::int as id from outbox_id')
  return row?.id ?? 0
}

test('listMembersAt returns the subscribers of an earlier moment despite later changes', async () => {
  const first = await newestOutboxId()
  const people = await world.people('ann', 'bob', 'cleo', 'dora', 'emil')
  const [ann, bob, cleo, dora, emil] = people
  const { stream_id } = await world.stream('pond', { members: [ann, bob, dora] })
  const other = await world.stream('lake', { members: people })
  const into = (who: number[]) =>
    owner.subscriptions.subscribe({ subscriptions: [{ name: 'pond' }], principals: who as never })
  const outOf = (who: number[]) =>
    owner.subscriptions.unsubscribe({ subscriptions: ['pond'], principals: who as never })

  await into([cleo.user_id])
  await owner.users.deactivate({ user_id: dora.user_id })
  await outOf([ann.user_id])
  await owner.users.update({ user_id: bob.user_id, role: Role.guest })
  await into([ann.user_id, emil.user_id])
  await owner.users.reactivate({ user_id: dora.user_id })
  await owner.users.deactivate({ user_id: emil.user_id })
  await outOf([bob.user_id])
  await owner.users.update({ user_id: cleo.user_id, role: Role.administrator })
  await owner.users.deactivate({ user_id: cleo.user_id })
  await owner.streams.archive({ stream_id: other.stream_id })

  const last = (await newestOutboxId()) + 1
  const memberKeys = new Set<string>()
  for (let id = first; id <= last; id++) {
    for (const stream of [stream_id, other.stream_id]) {
      const [plain] = await world.database.query<{ ids: number[] | null }>(
        `select array_agg(s.user_id::int order by s.user_id) as ids
         from subscription_period s join role_period r using (organization_id, user_id)
         where s.stream_id = $1 and int8range(s.from_outbox_id, s.to_outbox_id) @> $2::bigint
           and int8range(r.from_outbox_id, r.to_outbox_id) @> $2::bigint`,
        [stream, id],
      )
      const members = await listMembersAt(db, organization_id, [stream], id)
      assert.equal(members.get(stream), JSON.stringify(plain?.ids ?? []), `stream ${stream} at ${id}`)
      memberKeys.add(`${stream} ${members.get(stream)}`)
    }
  }
  assert.ok(memberKeys.size > 12, `only ${memberKeys.size} different lists were seen`)
})

test('listMembers returns active members only, and an empty list for an unknown stream', async () => {
  const [gina, hugo] = await world.people('gina', 'hugo')
  const full = await world.stream('full', { members: [gina, hugo] })
  const left = await world.stream('left', { members: [hugo] })
  const nowhere = 999_999 as StreamId
  await owner.users.deactivate({ user_id: hugo.user_id })
  const streamIds = [full.stream_id, left.stream_id, nowhere]

  const members = await listMembers(db, organization_id, streamIds)
  const vacant = await listVacantStreams(db, organization_id, streamIds)

  assert.deepEqual(
    streamIds.map((stream) => members.get(stream)),
    [`[${gina.user_id}]`, '[]', '[]'],
  )
  assert.deepEqual(vacant, new Set([left.stream_id, nowhere]))
})
