import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserEvent } from '@oxbow/contract'
import { userId } from '../../../test/ids.ts'
import { Directory, type DirectoryEntry, personFlags, toColumns } from './directory.ts'

const entries: DirectoryEntry[] = [
  [userId(3), 'Ada Gardener', 4, 1],
  [userId(7), 'Iris Gardener', 0, 2],
  [userId(9), 'Herald', 1, 1],
]

function start(): Directory {
  const directory = new Directory()
  directory.replace(toColumns(entries))
  return directory
}

const change = (op: string, person: object): UserEvent =>
  ({ id: 1, type: 'realm_user', op, person }) as unknown as UserEvent

test('the directory finds people by id and reads their flags', () => {
  const directory = start()
  assert.equal(directory.get(userId(7))?.full_name, 'Iris Gardener')
  assert.equal(directory.get(userId(7))?.avatar_url, '/avatar/7?v=2')
  assert.equal(directory.get(userId(3))?.is_admin, true)
  assert.equal(directory.get(userId(9))?.is_bot, true)
  assert.equal(directory.get(userId(4)), undefined)
  assert.deepEqual(
    [...directory.values()].map(({ user_id }) => user_id),
    [3, 7, 9],
  )
})

test('the directory has URLs of avatars only for people who may have uploaded one', () => {
  const directory = new Directory()
  directory.replace(
    toColumns([
      [userId(1), 'Iris', 0, 1],
      [userId(2), 'Otto', 0, 2],
      [userId(3), 'Notice', personFlags.bot, 1],
    ]),
  )
  assert.deepEqual(
    [...directory.values()].map(({ avatar_url }) => avatar_url),
    ['', '/avatar/2?v=2', '/avatar/3?v=1'],
  )
  assert.equal(directory.get(userId(1))?.large_avatar_url, '')
})

test('events change names, roles and pictures, and may be applied twice', () => {
  const directory = start()
  const added = {
    user_id: 11,
    full_name: 'Otto',
    is_bot: false,
    is_guest: true,
    is_admin: false,
    is_owner: false,
    is_active: true,
    avatar_version: 1,
  }
  const events = [
    change('update', { user_id: 7, full_name: 'Iris Green' }),
    change('update', { user_id: 7, role: 100 }),
    change('update', { user_id: 7, avatar_source: 'U', avatar_url: '', avatar_version: 3 }),
    change('update', { user_id: 7, timezone: 'Europe/Oslo' }),
    change('remove', { user_id: 3, full_name: 'Ada Gardener' }),
    change('add', added),
    change('update', { user_id: 99, full_name: 'Nobody' }),
  ]
  for (const event of [...events, ...events]) directory.apply(event)

  assert.deepEqual(directory.get(userId(7))?.entry, [7, 'Iris Green', 12, 3])
  assert.equal(directory.get(userId(3))?.is_active, false)
  assert.equal(directory.get(userId(11))?.is_guest, true)
  assert.equal(directory.get(userId(99)), undefined)
  assert.equal([...directory.values()].length, 4)
})

test('a reactivated person is active again', () => {
  const directory = start()
  directory.apply(change('remove', { user_id: 7, full_name: 'Iris Gardener' }))
  assert.equal(directory.get(userId(7))?.is_active, false)
  directory.apply(
    change('add', {
      user_id: 7,
      full_name: 'Iris Gardener',
      is_bot: false,
      is_guest: false,
      is_admin: false,
      is_owner: false,
      is_active: true,
      avatar_version: 2,
    }),
  )
  assert.equal(directory.get(userId(7))?.is_active, true)
})
