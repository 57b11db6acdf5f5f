import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase, eventually } from '@oxbow/testkit'
import { openSession } from '../../../platform/archive/open-session.ts'
import { lockKey } from '../../../platform/database/locks.ts'
import { IdMaps } from './id-maps.ts'

const database = await createTestDatabase()
after(() => database[Symbol.asyncDispose]())

const makeMaps = () => {
  const ids = new IdMaps()
  ids.add('user', 1)
  ids.note('message', 5)
  ids.note('position', 5)
  return ids
}

test('an import waits with its ids while another one reserves ids', async () => {
  await using first = await openSession(database.url, 'first')
  await using second = await openSession(database.url, 'second')
  await first.client.query('select pg_advisory_lock($1)', [lockKey('importedIds')])
  const ids = makeMaps()
  let isAssigned = false
  const assigning = ids.assign(second.client).then(() => {
    isAssigned = true
  })
  await eventually(async () => {
    const waiting = await database.query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return waiting.length > 0
  })
  assert.equal(isAssigned, false)
  await first.client.query('select pg_advisory_unlock($1)', [lockKey('importedIds')])
  await assigning
  const others = makeMaps()
  await others.assign(first.client)
  for (const kind of ['user', 'message', 'position'] as const) {
    const id = kind === 'user' ? 1 : 5
    assert.ok((others.find(kind, id) ?? 0) > (ids.find(kind, id) ?? 0), kind)
  }
})
