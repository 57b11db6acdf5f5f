import assert, { AssertionError } from 'node:assert/strict'
import { test } from 'node:test'
import { expectSameState, startWorld } from '@oxbow/testkit'
import { sql } from 'kysely'

test('a change without an event fails the test by the end of the world, also if comparisons are deferred', async () => {
  const world = await startWorld()
  const { owner, nodes } = world
  const changeSilently = () =>
    sql`update user_setting set dense_mode = not dense_mode where user_id = ${owner.user_id}`.execute(
      nodes.a.app.db,
    )

  const compare = async () => {
    try {
      await expectSameState(world, { owner }, changeSilently, { mayDefer: true })
    } finally {
      await world[Symbol.asyncDispose]()
    }
  }

  await assert.rejects(compare, AssertionError)
})
