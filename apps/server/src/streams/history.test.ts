import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OrganizationId, Role, roles, type StreamId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { sql } from 'kysely'
import { toViewer } from './access.ts'
import { canReadHistory, isHistoryReadable } from './history.ts'
import { findStreamById, type StreamWithMembership } from './queries.ts'

test("SQL and TypeScript agree on who may read a stream's history, for every kind of stream, role and membership", async () => {
  await using world = await startWorld()
  const { owner } = world
  const { db } = world.nodes.a.app
  const organization_id = world.organization_id as OrganizationId
  const [member, former, stranger] = await world.people('member', 'former', 'stranger')
  const kinds = [
    {},
    { invite_only: true, history_public_to_subscribers: true },
    { invite_only: true, history_public_to_subscribers: false },
  ]
  const found: string[] = []
  for (const [number, kind] of kinds.entries()) {
    for (const isArchived of [false, true]) {
      const name = `kind ${number}${isArchived ? ', archived' : ''}`
      const { stream_id } = await world.stream(name, { ...kind, members: [owner, member, former] })
      await former.subscriptions.unsubscribe({ subscriptions: [name] })
      // The test archives the stream with SQL, because the endpoint also makes it private and ends
      // its subscriptions.
      if (isArchived)
        await sql`
          update stream set archived_at = now()
          where organization_id = ${organization_id} and id = ${stream_id}`.execute(db)
      for (const { user_id } of [member, former, stranger]) {
        const stream: StreamWithMembership | undefined = await findStreamById(
          db,
          { organization_id, user_id },
          stream_id as StreamId,
        )
        assert.ok(stream)
        for (const role of roles) {
          const { rows } = await sql<{ isReadable: boolean }>`
            select ${isHistoryReadable({ user_id, role })} as "isReadable" from stream s
            where s.organization_id = ${organization_id} and s.id = ${stream_id}`.execute(db)
          const expected = canReadHistory(stream, toViewer({ role }, stream))
          const about: string = `${name}, ${stream.membership}, role ${role}`
          assert.deepEqual(rows, [{ isReadable: expected }], about)
          if (expected) found.push(about)
        }
      }
    }
  }

  const inEveryRole = (stream: string, membership: string, listed: readonly Role[] = roles) =>
    listed.map((role) => `${stream}, ${membership}, role ${role}`)
  const nonGuests = roles.filter((role) => role !== Role.guest)
  assert.deepEqual(
    found.sort(),
    [
      ...inEveryRole('kind 0', 'in'),
      ...inEveryRole('kind 0', 'left', nonGuests),
      ...inEveryRole('kind 0', 'never', nonGuests),
      ...inEveryRole('kind 1', 'in'),
    ].sort(),
  )
})
