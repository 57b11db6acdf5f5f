import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId, UserId } from '@oxbow/contract'
import type { Db } from '../platform/database/database.ts'
import { headerOf, onCommit, pokeAfterCommit } from './emit.ts'
import type { Emission } from './record.ts'

test('a header has everything but the event, and nothing that was not given', () => {
  const emission: Required<Emission> = {
    organization_id: 1 as OrganizationId,
    event: { type: 'message', message: {} },
    to: { stream: 4, received: { stream: 5, at: 6 } },
    parts: { 7: { own: true } },
    flags: { 7: ['read'] },
    flagsOfAll: ['wildcard_mentioned'],
    echo: { queue: 'a queue', user: 7 as UserId, local_id: '1.01' },
    isPublic: true,
    unhurried: true,
    until: 1_700_000_000_000,
    effects: [{ kind: 'organization' }],
    width: 3,
  }
  const { organization_id, event, width, ...header } = emission

  assert.deepEqual(headerOf(emission), { type: 'message', ...header })
  assert.deepEqual(headerOf({ organization_id, event, flags: {} }), { type: 'message', flags: {} })
  assert.deepEqual(headerOf({ organization_id, isPublic: false }), {})
})

test('whoever wrote their row themselves pokes the node that is there, and no other', () => {
  const [db, other] = [{}, {}] as [Db, Db]
  const told: unknown[] = []
  onCommit.set(db, (emissions) => told.push(emissions))

  pokeAfterCommit(db)
  pokeAfterCommit(other)

  assert.deepEqual(told, [[]])
})
