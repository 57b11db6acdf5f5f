import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, ruth] = await world.people('iris', 'otto', 'ruth')
const robin = await world.bot('robin', iris)

test('the presence of the requested users is listed by id, without users who never reported', async () => {
  await otto.presence.report({ status: 'active' })
  await iris.presence.report({ status: 'idle' })
  const user_ids = [otto.user_id, ruth.user_id, robin.user_id, 999_999 as never]

  const { presences, server_timestamp } = await eventually(async () => {
    const answer = await iris.presence.listOf({ user_ids })
    return Object.keys(answer.presences).length > 0 && answer
  })
  assert.deepEqual(Object.keys(presences), [String(otto.user_id)])
  assert.ok(Math.abs((presences[otto.user_id]?.active_timestamp ?? 0) - server_timestamp) < 600)
})

test('the presence of a deactivated user is not listed', async () => {
  await ruth.presence.report({ status: 'active' })
  await eventually(async () => {
    const { presences } = await iris.presence.listOf({ user_ids: [ruth.user_id] })
    return Object.keys(presences).length === 1
  })
  await world.owner.users.deactivate({ user_id: ruth.user_id })

  const { presences } = await iris.presence.listOf({ user_ids: [ruth.user_id] })
  assert.deepEqual(presences, {})
})

test('a request for more than 500 users is refused', async () => {
  const user_ids = JSON.stringify(Array.from({ length: 501 }, (_, index) => index))
  const { status, body } = await request(world.nodes.a.url, {
    path: `/api/v1/users/presence?${new URLSearchParams({ user_ids })}`,
    credentials: iris,
  })
  assert.deepEqual([status, body.msg], [400, 'user_ids has too many items (limit: 500)'])
})
