import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { baseline } from '@oxbow/server'
import { createTestDatabase } from '@oxbow/testkit'
import { environmentFor, runOxbow } from './run-oxbow.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

test('oxbow version prints the version of the root package', async () => {
  const environment = environmentFor('postgres://nobody@127.0.0.1:1/none')
  const { status, stdout } = await runOxbow(environment, 'version')
  assert.deepEqual([status, stdout], [0, `Oxbow ${version}, Node ${process.version}\n`])
})

test('all workspaces have the version of the root package', () => {
  const workspaces = ['apps/cli', 'apps/server', 'apps/web', 'packages/assets', 'packages/contract']
  for (const folder of [...workspaces, 'packages/markdown', 'packages/sdk', 'packages/search'])
    assert.equal(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version, version, folder)
})

test('oxbow version --check compares its migrations with those of the database', async () => {
  await using database = await createTestDatabase()
  const check = async () => {
    const { status, stdout } = await runOxbow(environmentFor(database.url), 'version', '--check', '--json')
    const { state, pending, unknown } = JSON.parse(stdout)
    return { status, state, pending, unknown }
  }
  const record = (...applied: string[]) =>
    database.query(
      `with removed as (delete from schema_migration)
       insert into schema_migration (name, checksum) select name, '' from unnest($1::text[]) as name
       on conflict do nothing`,
      [applied],
    )
  assert.deepEqual(await check(), { status: 0, state: 'same', pending: [], unknown: [] })
  const rows = await database.query<{ name: string }>('select name from schema_migration order by name')
  const names = rows.map(({ name }) => name)

  await record(baseline.lastReplaced)
  assert.deepEqual(await check(), { status: 0, state: 'older', pending: names, unknown: [] })

  await record('0056_shorten_rendered_texts')
  assert.deepEqual(await check(), { status: 1, state: 'too_old', pending: names, unknown: [] })

  await record(baseline.lastReplaced, ...names, '9999_later')
  assert.deepEqual(await check(), { status: 1, state: 'newer', pending: [], unknown: ['9999_later'] })

  await database.query('drop table schema_migration')
  assert.equal((await check()).state, 'empty')
})
